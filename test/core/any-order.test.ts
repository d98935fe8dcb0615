/** Property-based tests: the invariants of `advance` hold after every action, in any order of actions. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import fc from 'fast-check'
import {isPaid, type Quote} from '../../src/contract/checkout.js'
import {
  advance,
  checkoutOf,
  idle,
  samePair,
  type Action,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {viewStateOf} from '../../src/core/phase.js'
import {checkout, onBsc, onEthereum, payment, quote} from './sample.js'

const rarely = fc.integer({min: 0, max: 19}).map(number => number === 0)
const pairs: fc.Arbitrary<Pair> = fc.constantFrom(onBsc, onEthereum)

const quotes = fc.option(
  fc
    .record({pair: pairs, amount: fc.constantFrom('100.05', '100.06'), isOtherAddress: rarely})
    .map(({pair, amount, isOtherAddress}) =>
      quote({...pair, amount, address: `0x${pair.asset}${pair.network}${isOtherAddress ? 'X' : ''}`}),
    ),
)

const checkouts = fc
  .record({
    status: fc.constantFrom(
      ...(['open', 'open', 'open', 'pending', 'underpaid', 'paid', 'overpaid', 'expired'] as const),
    ),
    rev: fc.integer({min: 1, max: 12}),
    second: fc.integer({min: 10, max: 50}),
    quote: quotes,
    isOtherJournal: rarely,
    hasPayment: fc.boolean(),
    confirmed: fc.boolean(),
    dropped: fc.boolean(),
    alert: fc.option(fc.constantFrom('payment_unreadable', 'price_mismatch')),
  })
  .map(({status, rev, second, quote, isOtherJournal, hasPayment, confirmed, dropped, alert}) =>
    checkout({
      status,
      rev,
      quote: status === 'open' ? quote : null,
      serverTime: `2026-11-21T01:23:${String(second)}.000Z`,
      journal: isOtherJournal ? 'journal-2' : 'journal-1',
      payments: hasPayment ? [payment({confirmed, dropped: !confirmed && dropped})] : [],
      ...(alert && {alert, payable: false, quote: null}),
    }),
  )

const problems = fc
  .constantFrom(
    {code: 'not_open', status: 404},
    {code: 'upstream_timeout', status: 504},
    {code: 'activation_failed', status: 502},
    {code: 'offline', status: 0},
  )
  .map(problem => ({type: 'about:blank', title: '', requestId: '', ...problem}))

const actions: fc.Arbitrary<Action> = fc.oneof(
  {weight: 2, arbitrary: fc.record({kind: fc.constant('opened'), checkout: checkouts})},
  {weight: 4, arbitrary: fc.record({kind: fc.constant('read'), checkout: checkouts})},
  {weight: 4, arbitrary: fc.record({kind: fc.constant('requestQuote'), pair: pairs})},
  {weight: 6, arbitrary: fc.record({kind: fc.constant('quoted'), pair: pairs, checkout: checkouts})},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('failed'), problem: problems})},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('refused'), pair: pairs, problem: problems})},
  {weight: 1, arbitrary: fc.constant({kind: 'back'})},
  {weight: 1, arbitrary: fc.constant({kind: 'retry'})},
)

function forAllActions(check: (before: State, action: Action, after: State) => void): void {
  const property = fc.property(fc.array(actions, {minLength: 1, maxLength: 40}), sequence => {
    sequence.reduce(
      (before, action) => {
        const after = advance(before, action)
        check(before, action, after)
        return after
      },
      advance(idle, {kind: 'start', chargeId: 'charge-1'}),
    )
  })
  fc.assert(property, {numRuns: 600, seed: 20_261_121})
}

function displayedQuote(state: State): Quote | null {
  const viewState = viewStateOf(state)
  return viewState.phase === 'paying' ? viewState.step.quote : null
}

function requestedPair(state: State): Pair | null {
  const viewState = viewStateOf(state)
  if (viewState.phase === 'quoting') return viewState.pair
  return viewState.phase === 'paying' && viewState.step.renewal?.kind === 'requested'
    ? viewState.step.quote
    : null
}

describe('advance, for any sequence of actions', () => {
  it('invariant 1: displays a quote only after an opening or the response to the last request', () => {
    forAllActions((before, action, after) => {
      const quote = displayedQuote(after)
      if (!quote || quote === displayedQuote(before) || action.kind === 'opened') return
      // After a dropped payment or an alert, the quote that was displayed before.
      if (before.kind === 'active' && before.displayed.at(-1) === quote && !before.checkout.payable) return
      assert.ok(action.kind === 'quoted', action.kind)
      assert.ok(samePair(requestedPair(before) ?? assert.fail('nothing was requested'), action.pair))
    })
  })

  it('invariant 4: keeps the amount of the displayed pair until the customer requests another', () => {
    forAllActions((before, action, after) => {
      const [last, now] = [displayedQuote(before), displayedQuote(after)]
      if (last && now && samePair(last, now) && action.kind !== 'quoted')
        assert.equal(now.amount, last.amount)
    })
  })

  it('invariant 4: never displays two addresses for one pair', () => {
    const addresses = new Map<string, string>()
    let journal: string | undefined
    forAllActions((before, _, after) => {
      const current = checkoutOf(after)?.journal
      if (before.kind === 'loading' || current !== journal) addresses.clear()
      journal = current
      const quote = displayedQuote(after)
      if (!quote) return
      assert.equal(quote.address, addresses.get(quote.network) ?? quote.address)
      addresses.set(quote.network, quote.address)
    })
  })

  it('invariant 5: a failed read removes no address, unless the charge is not open any more', () => {
    forAllActions((before, action, after) => {
      if (action.kind === 'failed' && action.problem.code !== 'not_open')
        assert.equal(displayedQuote(after), displayedQuote(before))
    })
  })

  it('invariant 5: a paid status stays, rev never falls within a journal, and payments stay', () => {
    forAllActions((before, _, after) => {
      const [last, now] = [checkoutOf(before), checkoutOf(after)]
      if (last && isPaid(last.status)) assert.ok(now && isPaid(now.status))
      if (last?.status === 'overpaid') assert.equal(now?.status, 'overpaid')
      if (!now || last?.journal !== now.journal || before.kind === 'alarmed') return
      assert.ok(now.rev >= last.rev)
      assert.ok(now.payments.length >= last.payments.length)
      if (last.payments[0]?.confirmed) assert.equal(now.payments[0]?.confirmed, true)
    })
  })

  it('displays a quote only while the checkout is payable', () => {
    forAllActions((_, __, after) => {
      if (displayedQuote(after)) assert.equal(checkoutOf(after)?.payable, true)
    })
  })

  it('invariant 5: a charge with a payment is open again only after every payment was dropped', () => {
    forAllActions((before, _, after) => {
      const [last, now] = [checkoutOf(before), checkoutOf(after)]
      if (last?.journal !== now?.journal || now?.status !== 'open') return
      if (last?.status !== 'pending' && last?.status !== 'underpaid') return
      assert.ok(now.payments.length > 0 && now.payments.every(({dropped}) => dropped))
    })
  })
})
