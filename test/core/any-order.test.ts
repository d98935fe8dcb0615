/** Whatever happens, in whatever order: the rules about money hold after every step. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import fc from 'fast-check'
import {
  checkoutOf,
  advance,
  idle,
  settled,
  type Event,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {sceneOf} from '../../src/core/phase.js'
import {checkout, onBsc, onEthereum, payment, quote} from './sample.js'

const pairs: fc.Arbitrary<Pair> = fc.constantFrom(onBsc, onEthereum)
const address = ({asset, network}: Pair, swapped = false) => `0x${asset}${network}${swapped ? 'X' : ''}`

const quotes = fc.option(
  fc
    .record({pair: pairs, amount: fc.constantFrom('100.05', '100.06'), isSwapped: rarely()})
    .map(({pair, amount, isSwapped}) => quote({...pair, amount, address: address(pair, isSwapped)})),
)

const checkouts = fc
  .record({
    status: fc.constantFrom('open', 'open', 'open', 'pending', 'underpaid', 'paid', 'overpaid', 'expired'),
    rev: fc.integer({min: 1, max: 12}),
    second: fc.integer({min: 10, max: 50}),
    quote: quotes,
    isElsewhere: rarely(),
    isSeen: fc.boolean(),
    isConfirmed: fc.boolean(),
  })
  .map(({status, rev, second, quote: given, isElsewhere, isSeen, isConfirmed}) =>
    checkout({
      status: status as 'open',
      payable: status === 'open' || status === 'underpaid',
      rev,
      quote: status === 'open' ? given : null,
      serverTime: `2026-11-21T01:23:${String(second)}.000Z`,
      journal: isElsewhere ? 'journal-2' : 'journal-1',
      payments: isSeen ? [payment({confirmed: isConfirmed})] : [],
    }),
  )

const problems = fc
  .constantFrom(
    {code: 'not_open', status: 404},
    {code: 'upstream_timeout', status: 504},
    {code: 'activation_failed', status: 502},
    {code: 'offline', status: 0},
  )
  .map(given => ({type: 'about:blank', title: '', requestId: '', ...given}))

const tickets = fc.integer({min: 1, max: 6})

const events: fc.Arbitrary<Event> = fc.oneof(
  {weight: 2, arbitrary: checkouts.map(given => ({type: 'opened', checkout: given}) as const)},
  {weight: 4, arbitrary: checkouts.map(given => ({type: 'read', checkout: given}) as const)},
  {weight: 4, arbitrary: pairs.map(pair => ({type: 'ask', pair}) as const)},
  {
    weight: 6,
    arbitrary: fc
      .tuple(tickets, checkouts)
      .map(([ticket, given]) => ({type: 'quoted', ticket, checkout: given}) as const),
  },
  {weight: 2, arbitrary: problems.map(problem => ({type: 'failed', problem}) as const)},
  {
    weight: 2,
    arbitrary: fc
      .tuple(tickets, problems)
      .map(([ticket, problem]) => ({type: 'refused', ticket, problem}) as const),
  },
  {weight: 1, arbitrary: fc.constant({type: 'back'} as const)},
  {weight: 1, arbitrary: fc.constant({type: 'retry'} as const)},
)

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({min: 0, max: 19}).map(number => number === 0)
}

function walk(steps: readonly Event[], check: (before: State, event: Event, after: State) => void): void {
  let state = advance(idle, {type: 'follow', chargeId: 'charge-1'})
  for (const event of steps) {
    const next = advance(state, event)
    check(state, event, next)
    state = next
  }
}

function onScreen(state: State) {
  const scene = sceneOf(state)
  return scene.phase === 'paying' ? scene.way.quote : null
}

function holds(check: (before: State, event: Event, after: State) => void): void {
  fc.assert(
    fc.property(fc.array(events, {minLength: 1, maxLength: 40}), steps => walk(steps, check)),
    {numRuns: 600, seed: 20_261_121},
  )
}

describe('whatever happens in whatever order', () => {
  it('invariant 1: an address comes on screen only by an opening or by the answer to the last question', () => {
    holds((before, event, after) => {
      const quoteNow = onScreen(after)
      if (!quoteNow || quoteNow === onScreen(before)) return
      assert.ok(event.type === 'opened' || event.type === 'quoted', event.type)
      if (event.type === 'quoted') assert.equal(before.at === 'following' && before.tickets, event.ticket)
    })
  })

  it('invariant 4: while the same pair stays on screen its address stays, and its amount until the customer asks', () => {
    holds((before, event, after) => {
      const [last, now] = [onScreen(before), onScreen(after)]
      if (!now || last?.asset !== now.asset || last.network !== now.network) return
      assert.equal(now.address, last.address)
      if (event.type !== 'quoted') assert.equal(now.amount, last.amount)
    })
  })

  it('invariant 4: an address that was shown for a pair is never followed by another', () => {
    const seen = new Map<string, string>()
    let journal: string | undefined
    holds((before, _, after) => {
      if (before.at === 'loading' && after.at !== 'loading') seen.clear()
      const now = onScreen(after)
      const current = checkoutOf(after)?.journal
      if (current !== journal) seen.clear()
      journal = current
      if (!now) return
      const earlier = seen.get(now.network)
      if (earlier !== undefined && before.at === 'following') assert.equal(now.address, earlier)
      seen.set(now.network, now.address)
    })
  })

  it('invariant 5: a failed read never takes an address off the screen, unless the charge is not known any more', () => {
    holds((before, event, after) => {
      if (event.type === 'failed' && event.problem.code !== 'not_open')
        assert.equal(onScreen(after), onScreen(before))
    })
  })

  it('invariant 5: what money has settled stays settled', () => {
    holds((before, _, after) => {
      const last = checkoutOf(before)
      const now = checkoutOf(after)
      if (last && settled(last.status)) assert.ok(now && settled(now.status))
      if (last?.status === 'overpaid') assert.equal(now?.status, 'overpaid')
    })
  })

  it('invariant 5: within a journal rev never falls, and payments are neither lost nor unconfirmed', () => {
    holds((before, _, after) => {
      const last = checkoutOf(before)
      const now = checkoutOf(after)
      if (!now || last?.journal !== now.journal || before.at === 'alarmed') return
      assert.ok(now.rev >= last.rev)
      assert.ok(now.payments.length >= last.payments.length)
      if (last.payments[0]?.confirmed) assert.equal(now.payments[0]?.confirmed, true)
    })
  })

  it('shows nothing to pay for a checkout that may not be paid', () => {
    holds((_, __, after) => {
      if (onScreen(after)) assert.equal(checkoutOf(after)?.payable, true)
    })
  })
})
