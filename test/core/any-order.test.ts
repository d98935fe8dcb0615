/** Whatever happens, in whatever order: the rules about money hold after every step. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import fc from 'fast-check'
import {
  checkoutOf,
  advance,
  idle,
  samePair,
  type Action,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {isPaid} from '../../src/contract/checkout.js'
import {viewStateOf} from '../../src/core/phase.js'
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

const events: fc.Arbitrary<Action> = fc.oneof(
  {weight: 2, arbitrary: checkouts.map(given => ({kind: 'opened', checkout: given}) as const)},
  {weight: 4, arbitrary: checkouts.map(given => ({kind: 'read', checkout: given}) as const)},
  {weight: 4, arbitrary: pairs.map(pair => ({kind: 'requestQuote', pair}) as const)},
  {
    weight: 6,
    arbitrary: fc
      .tuple(pairs, checkouts)
      .map(([pair, given]) => ({kind: 'quoted', pair, checkout: given}) as const),
  },
  {weight: 2, arbitrary: problems.map(problem => ({kind: 'failed', problem}) as const)},
  {
    weight: 2,
    arbitrary: fc
      .tuple(pairs, problems)
      .map(([pair, problem]) => ({kind: 'refused', pair, problem}) as const),
  },
  {weight: 1, arbitrary: fc.constant({kind: 'back'} as const)},
  {weight: 1, arbitrary: fc.constant({kind: 'retry'} as const)},
)

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({min: 0, max: 19}).map(number => number === 0)
}

function walk(steps: readonly Action[], check: (before: State, action: Action, after: State) => void): void {
  let state = advance(idle, {kind: 'start', chargeId: 'charge-1'})
  for (const action of steps) {
    const next = advance(state, action)
    check(state, action, next)
    state = next
  }
}

function onScreen(state: State) {
  const scene = viewStateOf(state)
  return scene.phase === 'paying' ? scene.step.quote : null
}

/** The pair whose quote is requested. */
function requested(state: State): Pair | null {
  const scene = viewStateOf(state)
  if (scene.phase === 'quoting') return scene.pair
  return scene.phase === 'paying' && scene.step.renewal?.kind === 'requested' ? scene.step.quote : null
}

function holds(check: (before: State, action: Action, after: State) => void): void {
  fc.assert(
    fc.property(fc.array(events, {minLength: 1, maxLength: 40}), steps => walk(steps, check)),
    {numRuns: 600, seed: 20_261_121},
  )
}

describe('whatever happens in whatever order', () => {
  it('invariant 1: an address comes on screen only by an opening or by the answer to the last question', () => {
    holds((before, action, after) => {
      const quoteNow = onScreen(after)
      if (!quoteNow || quoteNow === onScreen(before)) return
      assert.ok(action.kind === 'opened' || action.kind === 'quoted', action.kind)
      if (action.kind === 'quoted')
        assert.ok(samePair(requested(before) ?? assert.fail('nothing was requested'), action.pair))
    })
  })

  it('invariant 4: while the same pair stays on screen its address stays, and its amount until the customer asks', () => {
    holds((before, action, after) => {
      const [last, now] = [onScreen(before), onScreen(after)]
      if (!now || last?.asset !== now.asset || last.network !== now.network) return
      assert.equal(now.address, last.address)
      if (action.kind !== 'quoted') assert.equal(now.amount, last.amount)
    })
  })

  it('invariant 4: an address that was shown for a pair is never followed by another', () => {
    const seen = new Map<string, string>()
    let journal: string | undefined
    holds((before, _, after) => {
      if (before.kind === 'loading' && after.kind !== 'loading') seen.clear()
      const now = onScreen(after)
      const current = checkoutOf(after)?.journal
      if (current !== journal) seen.clear()
      journal = current
      if (!now) return
      const earlier = seen.get(now.network)
      if (earlier !== undefined && before.kind === 'active') assert.equal(now.address, earlier)
      seen.set(now.network, now.address)
    })
  })

  it('invariant 5: a failed read never takes an address off the screen, unless the charge is not known any more', () => {
    holds((before, action, after) => {
      if (action.kind === 'failed' && action.problem.code !== 'not_open')
        assert.equal(onScreen(after), onScreen(before))
    })
  })

  it('invariant 5: what money has settled stays settled', () => {
    holds((before, _, after) => {
      const last = checkoutOf(before)
      const now = checkoutOf(after)
      if (last && isPaid(last.status)) assert.ok(now && isPaid(now.status))
      if (last?.status === 'overpaid') assert.equal(now?.status, 'overpaid')
    })
  })

  it('invariant 5: within a journal rev never falls, and payments are neither lost nor unconfirmed', () => {
    holds((before, _, after) => {
      const last = checkoutOf(before)
      const now = checkoutOf(after)
      if (!now || last?.journal !== now.journal || before.kind === 'alarmed') return
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
