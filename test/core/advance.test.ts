import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Problem} from '../../src/contract/problem.js'
import {
  advance,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  requestedPair,
  type Action,
  type Active,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {phaseOf, viewStateOf} from '../../src/core/phase.js'
import {checkout, onBsc, onEthereum, payment, quote, underpaid} from './sample.js'

function after(...actions: Action[]): State {
  return [{kind: 'start', chargeId: 'charge-1'} satisfies Action, ...actions].reduce(advance, idle)
}

const opened = (changes: Partial<Checkout> = {}): Action => ({kind: 'opened', checkout: checkout(changes)})
const read = (changes: Partial<Checkout> = {}): Action => ({
  kind: 'read',
  checkout: checkout({rev: 6, ...changes}),
})
const readUnderpaid: Action = {kind: 'read', checkout: underpaid()}
const requestQuote = (pair: Pair = onBsc): Action => ({kind: 'requestQuote', pair})
const quoted = (result: Quote, pair: Pair = result, changes: Partial<Checkout> = {}): Action => ({
  kind: 'quoted',
  pair,
  checkout: checkout({rev: 5, quote: result, ...changes}),
})
const refused = (pair: Pair = onBsc, code = 'activation_failed', status = 502): Action => ({
  kind: 'refused',
  pair,
  problem: problem(code, status),
})
const failed = (code: string, status = 503): Action => ({kind: 'failed', problem: problem(code, status)})
const back: Action = {kind: 'back'}
const expand: Action = {kind: 'expandAsset', asset: '825'}

function problem(code: string, status: number): Problem {
  return {type: 'about:blank', title: code, status, code, requestId: 'r-1'}
}

function activeState(state: State): Active {
  assert.ok(state.kind === 'active')
  return state
}

function view<Phase extends string>(state: State, phase: Phase) {
  const viewState = viewStateOf(state)
  assert.equal(viewState.phase, phase)
  return viewState as Extract<ReturnType<typeof viewStateOf>, {phase: Phase}>
}

function displayedQuote(state: State): Quote | null {
  const viewState = viewStateOf(state)
  if (viewState.phase !== 'paying') return null
  const {due: _, ...quote} = viewState.step.quote
  return quote
}

function displayed(quote: Quote) {
  return {...quote, due: checkout().due}
}

const paying = after(opened(), requestQuote(), quoted(quote()))
const otherQuote = quote({...onEthereum, address: '0x2', amount: '100.09'})
const otherAddress = quote({address: '0x2222'})
const remaining = {amount: '40.00', currency: 'USD'}

describe('advance: opening', () => {
  it('is idle without a charge, loading with one, and choosing once it is open', () => {
    assert.equal(phaseOf(idle), 'idle')
    assert.equal(phaseOf(after()), 'loading')
    assert.equal(phaseOf(after(opened())), 'choosing')
    assert.equal(phaseOf(after(opened(), {kind: 'start', chargeId: null})), 'idle')
    for (const action of [read(), failed('offline')]) assert.equal(advance(idle, action), idle)
  })

  it('is unavailable after a failure, loading again after a retry, and recovers with the next response', () => {
    const unavailable = after(failed('upstream_timeout'))
    assert.equal(view(unavailable, 'unavailable').reason.kind, 'problem')
    assert.equal(phaseOf(advance(unavailable, {kind: 'retry'})), 'loading')
    assert.equal(phaseOf(advance(unavailable, opened())), 'choosing')
    assert.equal(phaseOf(after(opened(), {kind: 'retry'})), 'choosing')
  })

  it('displays the quote that it receives on opening', () => {
    assert.equal(phaseOf(after(opened({quote: quote()}))), 'paying')
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid()})), 'underpaid')
    const covering = underpaid({quote: quote({covers: remaining})})
    assert.equal(phaseOf(after({kind: 'opened', checkout: covering})), 'paying')
  })

  it('maps every status to its phase', () => {
    const phases: Record<Checkout['status'], string> = {
      open: 'choosing',
      pending: 'confirming',
      underpaid: 'underpaid',
      paid: 'paid',
      overpaid: 'overpaid',
      expired: 'expired',
      cancelled: 'cancelled',
    }
    for (const status of Object.keys(phases) as Checkout['status'][])
      assert.equal(phaseOf(after(opened({status}))), phases[status])
    assert.equal(view(after(opened({payable: false})), 'unavailable').reason.kind, 'closed')
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid({payable: false})})), 'underpaid')
  })
})

describe('advance: what is shown of the charge', () => {
  it('names the order where nothing can be paid', () => {
    const order = {reference: 'order-7', redirectUrl: 'https://shop.example/thanks'}
    for (const state of [
      after(opened({...order, payable: false})),
      after(opened({...order, payable: false, alert: 'price_mismatch'})),
      after(opened({...order, quote: quote()}), failed('not_open', 404)),
    ]) {
      const {reason: _, ...shown} = view(state, 'unavailable')
      assert.deepEqual(shown, {phase: 'unavailable', chargeId: 'charge-1', ...order})
      assert.equal(checkoutOf(state)?.payable, false)
    }
    const {reason: _, ...bare} = view(after(opened({payable: false})), 'unavailable')
    assert.deepEqual(bare, {phase: 'unavailable', chargeId: 'charge-1'})
  })

  it('is nothing of another charge, and after a failure the next problem or checkout', () => {
    const [loading, choosing, unavailable] = [after(), after(opened()), after(failed('offline'))]
    for (const state of [loading, choosing]) {
      assert.equal(advance(state, opened({chargeId: 'charge-2'})), state)
      assert.equal(advance(state, read({chargeId: 'charge-2'})), state)
    }
    assert.equal(phaseOf(advance(unavailable, read())), 'choosing')
    const {reason} = view(advance(unavailable, failed('internal', 500)), 'unavailable')
    assert.equal(reason.kind === 'problem' && reason.problem.code, 'internal')
  })

  it('is the quote of the same amount, however many zeros it is written with', () => {
    for (const [due, covered] of [
      ['100.00', '100'],
      ['100.50', '100.5'],
    ] as const) {
      const money = (amount: string) => ({amount, currency: 'USD'})
      const changes = {due: money(due), quote: quote({covers: money(covered)}), acceptsPartial: false}
      assert.equal(phaseOf(after(opened(changes))), 'paying')
      assert.deepEqual(activeState(after(opened({...changes, payable: false}))).displayed, [])
    }
  })
})

describe('selectors of the state', () => {
  it('needsOpening is true until the first checkout, and never after an address was displayed', () => {
    assert.deepEqual([idle, after(), after(opened())].map(needsOpening), [false, true, false])
    assert.equal(needsOpening(after(failed('upstream_timeout'))), true)
    for (const action of [failed('not_open', 404), failed('upstream_timeout')])
      assert.equal(needsOpening(advance(paying, action)), false)
  })

  it('checkoutOf and chargeIdOf know the charge, also in an alarm', () => {
    assert.deepEqual([idle, after()].map(checkoutOf), [null, null])
    assert.equal(checkoutOf(advance(paying, failed('not_open', 404)))?.chargeId, 'charge-1')
    assert.deepEqual([idle, after(), paying].map(chargeIdOf), [null, 'charge-1', 'charge-1'])
  })
})

describe('advance: choosing', () => {
  it('ignores choices unless the checkout is payable', () => {
    const closed = (['paid', 'expired'] as const).map(status => after(opened({status})))
    const actions: Action[] = [requestQuote(), back, expand]
    for (const state of [idle, after(), after(failed('offline')), ...closed])
      for (const action of actions) assert.equal(advance(state, action), state)
  })

  it('keeps the expanded asset after a read, but not when a part is paid or nothing is payable', () => {
    const choosing = after(opened(), expand)
    assert.equal(view(advance(choosing, read()), 'choosing').asset, '825')
    assert.equal(phaseOf(advance(choosing, readUnderpaid)), 'underpaid')
    assert.equal(phaseOf(after(opened(), requestQuote(), readUnderpaid)), 'quoting')
    for (const state of [paying, after(opened(), requestQuote()), choosing])
      assert.equal(activeState(advance(state, read({payable: false}))).step.kind, 'initial')
  })
})

describe('advance: quoting', () => {
  it('never displays a late response to an earlier choice', () => {
    const state = after(opened(), requestQuote(onBsc), requestQuote(onEthereum), quoted(quote()))
    assert.equal(phaseOf(state), 'quoting')
    const next = advance(state, quoted(otherQuote, onEthereum, {rev: 7}))
    assert.equal(displayedQuote(next)?.network, 'ethereum')
    assert.equal(phaseOf(after(opened(), requestQuote(), back, quoted(quote()))), 'choosing')
  })

  it('invariant 1: displays no address that this page did not request or receive on opening', () => {
    for (const state of [
      after(opened(), read({quote: quote()})),
      after(opened(), requestQuote(onEthereum), read({quote: quote()})),
      after(read({quote: quote()})),
      after(opened(), requestQuote(), quoted(quote(), onBsc, {due: remaining})),
    ])
      assert.equal(displayedQuote(state), null)
  })

  it('is choosing again, with the reason, when the request is refused', () => {
    const choosingAfterRefusal = (pair: Pair) =>
      view(after(opened(), requestQuote(pair), refused(pair)), 'choosing')
    const {refused: refusal, asset} = choosingAfterRefusal(onBsc)
    assert.deepEqual([refusal?.pair, refusal?.problem.code, asset], [onBsc, 'activation_failed', '825'])
    // Only an asset with a choice of networks is expanded.
    assert.equal(choosingAfterRefusal({asset: '1027', network: 'ethereum'}).asset, null)
    assert.equal(choosingAfterRefusal({asset: '999', network: 'bsc'}).asset, null)
  })

  it('ignores the refusal of a pair that is not requested', () => {
    for (const state of [after(opened(), requestQuote(onEthereum)), paying])
      assert.equal(advance(state, refused()), state)
    const renewing = advance(paying, requestQuote())
    assert.equal(advance(renewing, refused(onEthereum)), renewing)
  })

  it('treats a response without a quote for the requested pair as invalid', () => {
    const state = after(opened(), requestQuote(onEthereum), quoted(quote(), onEthereum))
    assert.equal(view(state, 'choosing').refused?.problem.code, 'proxy_invalid')
  })
})

describe('advance: parts', () => {
  const setPart = (part: string | null): Action => ({kind: 'setPart', part})
  const partly = quote({covers: {amount: '20.00', currency: 'USD'}, amount: '20.01'})
  const payingPart = after(opened(), setPart('20'), requestQuote(), quoted(partly))

  it('invariant 7: requests only what is more than zero and at most due', () => {
    for (const [typed, part] of [
      ['20', '20.00'],
      ['99.99', '99.99'],
      [' 20,5 ', '20.50'],
      ['٢٠٫٥', '20.50'],
      ['२०.५', '20.50'],
    ] as const)
      assert.deepEqual(requestedPair(after(opened(), setPart(typed), requestQuote())), {...onBsc, part})
    assert.deepEqual(requestedPair(after(opened(), setPart('100'), requestQuote())), onBsc)
    assert.deepEqual(requestedPair(after(opened(), setPart('20'), setPart(null), requestQuote())), onBsc)
    for (const typed of ['', '0', '0.00', '100.01', '20.001', '1e1', '-1', '1.000,5', 'ten']) {
      const state = after(opened(), setPart(typed))
      assert.equal(advance(state, requestQuote()), state, typed)
    }
  })

  it('keeps the expanded asset beside a part, and takes none where it cannot be paid', () => {
    assert.equal(view(after(opened(), expand, setPart('20')), 'choosing').asset, '825')
    assert.equal(view(advance(paying, setPart('20')), 'choosing').asset, null)
    const closed = ([{acceptsPartial: false}, {payable: false}] as const).map(changes =>
      after(opened(changes)),
    )
    for (const state of [idle, after(failed('offline')), ...closed])
      assert.equal(advance(state, setPart('20')), state)
  })

  it('displays the quote of the part, until a payment changes what is due', () => {
    assert.deepEqual(displayedQuote(payingPart), partly)
    assert.deepEqual(requestedPair(advance(payingPart, requestQuote())), {...onBsc, part: '20.00'})
    assert.deepEqual(displayedQuote(advance(payingPart, read({quote: quote()}))), partly)
    const pending = advance(payingPart, read({status: 'pending'}))
    const arrived = underpaid({
      paid: {amount: '20.00', currency: 'USD'},
      due: {amount: '80.00', currency: 'USD'},
    })
    assert.equal(phaseOf(advance(pending, {kind: 'read', checkout: arrived})), 'underpaid')
    assert.deepEqual(displayedQuote(after(opened({quote: partly}))), partly)
  })

  it('displays no quote for another amount than the customer asked for', () => {
    const other = quote({covers: {amount: '30.00', currency: 'USD'}})
    const tooMuch = quote({covers: {amount: '100.01', currency: 'USD'}})
    assert.equal(displayedQuote(after(opened({quote: tooMuch}))), null)
    for (const state of [after(opened(), setPart('20'), requestQuote()), after(opened(), requestQuote())])
      assert.equal(displayedQuote(advance(state, quoted(other))), null)
    assert.equal(displayedQuote(after(opened({quote: other, acceptsPartial: false}))), null)
  })
})

describe('advance: paying', () => {
  it('invariant 4: keeps its quote when another tab requests one', () => {
    for (const other of [otherQuote, quote({amount: '101'})])
      assert.deepEqual(displayedQuote(advance(paying, read({quote: other}))), quote())
  })

  it('invariant 5: keeps its quote after a failed read, a stale response or one without a quote', () => {
    for (const action of [
      failed('upstream_unavailable'),
      failed('proxy_unreachable', 0),
      failed('charge_not_found', 404),
      failed('unauthorized', 401),
      read({stale: true}),
      read({quote: null}),
    ])
      assert.deepEqual(displayedQuote(advance(paying, action)), quote())
    const offline = advance(paying, failed('offline', 0))
    assert.equal(view(offline, 'paying').problem?.code, 'offline')
    assert.equal(view(advance(offline, read({quote: quote()})), 'paying').problem, null)
  })

  it('removes the quote when it no longer covers the amount due or the checkout is not payable', () => {
    for (const status of ['pending', 'paid', 'overpaid', 'expired', 'cancelled'] as const)
      assert.equal(displayedQuote(advance(paying, read({status}))), null)
    for (const due of [remaining, {amount: '100.00', currency: 'EUR'}])
      assert.equal(phaseOf(advance(paying, read({due}))), 'choosing')
    assert.deepEqual(view(advance(paying, readUnderpaid), 'underpaid').last, displayed(quote()))
  })

  it('keeps the old amount during a renewal, and then says what it was, also if it is the same', () => {
    const renewing = advance(paying, requestQuote())
    assert.equal(view(renewing, 'paying').step.renewal?.kind, 'requested')
    assert.equal(displayedQuote(renewing)?.amount, '100.05')
    const renewed = (amount: string) =>
      view(advance(renewing, quoted(quote({amount}), onBsc, {rev: 7})), 'paying').step
    assert.deepEqual([renewed('100.20').quote.amount, renewed('100.20').previousAmount], ['100.20', '100.05'])
    assert.equal(renewed('100.05').previousAmount, '100.05')
  })

  it('keeps the old amount when a renewal is refused', () => {
    const {step} = view(advance(advance(paying, requestQuote()), refused()), 'paying')
    assert.deepEqual([step.quote.amount, step.renewal?.kind], ['100.05', 'refused'])
  })

  it('says what the amount was when the customer returns to a pair only if it is another one', () => {
    for (const [amount, previous] of [
      ['100.05', null],
      ['100.20', '100.05'],
    ] as const) {
      const actions: Action[] = [
        requestQuote(onEthereum),
        quoted(otherQuote),
        back,
        requestQuote(),
        quoted(quote({amount})),
      ]
      assert.equal(view(actions.reduce(advance, paying), 'paying').step.previousAmount, previous)
    }
  })

  it('remembers the last quote of each pair, the latest last', () => {
    const renewed = quote({amount: '100.20'})
    const actions = [requestQuote(onEthereum), quoted(otherQuote), requestQuote(), quoted(renewed)]
    const state = actions.reduce(advance, paying)
    assert.deepEqual(activeState(state).displayed, [displayed(otherQuote), displayed(renewed)])
    assert.deepEqual(view(advance(state, back), 'choosing').earlier, displayed(renewed))
    const third = quote({asset: '1027', network: 'ethereum', address: '0x3'})
    const next = [requestQuote(third), quoted(third), back].reduce(advance, state)
    assert.deepEqual(view(next, 'choosing').earlier, displayed(third))
  })
})

describe('advance: alarms', () => {
  const alert = {alert: 'address_mismatch', payable: false} as const
  const pending = read({status: 'pending', payments: [payment()]})
  const otherJournal = read({rev: 1, journal: 'journal-2'})
  const notOpen = failed('not_open', 404)
  const alarmed = advance(paying, notOpen)

  it('invariant 4: another address, another journal or a forgotten charge is an alarm, not an update', () => {
    const cases: [Action, string][] = [
      [read({quote: otherAddress}), 'address_mismatch'],
      [read({rev: 1, quote: otherAddress}), 'address_mismatch'],
      [read(alert), 'address_mismatch'],
      [otherJournal, 'journal_changed'],
      [notOpen, 'not_open'],
      [refused(onBsc, 'not_open', 404), 'not_open'],
    ]
    for (const [action, expected] of cases) {
      const {reason} = view(advance(paying, action), 'unavailable')
      assert.ok(reason.kind === 'alarm')
      assert.deepEqual([reason.reason, reason.addresses], [expected, [quote().address]])
    }
    const {reason} = view(after(opened(alert)), 'unavailable')
    assert.equal(reason.kind === 'alarm' && reason.reason, 'address_mismatch')
  })

  it('applies also after a payment was observed, so that no customer pays twice', () => {
    for (const action of [otherJournal, notOpen]) {
      assert.equal(advance(after(opened(), pending), action).kind, 'alarmed')
      // Money that arrived elsewhere, which the service does not list.
      for (const status of ['pending', 'underpaid'] as const)
        assert.equal(advance(after(opened(), read({status})), action).kind, 'alarmed')
      assert.equal(advance(advance(paying, read({status: 'pending'})), action).kind, 'alarmed')
      const dropped = opened({status: 'expired', payments: [payment({confirmed: false, dropped: true})]})
      assert.equal(advance(after(dropped), action).kind, 'alarmed')
    }
  })

  it('starts over silently while no address and no payment was displayed', () => {
    assert.equal(needsOpening(after(opened(), notOpen)), true)
    const state = activeState(after(opened(), otherJournal))
    assert.deepEqual([state.checkout.journal, state.displayed], ['journal-2', []])
    const older = read({rev: 1, journal: 'journal-2', serverTime: '2026-11-21T01:00:00Z'})
    assert.equal(activeState(after(opened(), older)).checkout.journal, 'journal-1')
  })

  it('stays until a paid status, which it accepts from any journal', () => {
    for (const action of [
      opened({rev: 9}),
      read({rev: 9}),
      failed('offline', 0),
      requestQuote(),
      back,
      {kind: 'retry'} as const,
      quoted(quote()),
    ])
      assert.equal(advance(alarmed, action), alarmed)
    const paid = read({rev: 1, journal: 'journal-2', status: 'paid'})
    const confirming = advance(paying, pending)
    for (const state of [alarmed, confirming, advance(confirming, notOpen)])
      assert.equal(phaseOf(advance(state, paid)), 'paid')
    for (const state of [confirming, advance(confirming, notOpen)])
      assert.deepEqual(checkoutOf(advance(state, paid))?.payments, [payment()])
  })

  it('is not raised for a paid charge', () => {
    const paid = after(opened({...alert, status: 'paid'}))
    for (const state of [paid, advance(paid, notOpen), advance(paid, otherJournal)])
      assert.equal(phaseOf(state), 'paid')
    assert.equal(checkoutOf(advance(paid, otherJournal))?.journal, 'journal-1')
  })
})

describe('advance: order of responses', () => {
  it('invariant 5: an older response changes nothing but that the proxy can be reached', () => {
    const state = after(opened({rev: 5, status: 'pending'}))
    assert.equal(advance(state, read({rev: 4, status: 'paid'})), state)
    const earlier = {
      kind: 'read',
      checkout: checkout({rev: 5, status: 'paid', serverTime: '2026-11-21T01:23:44.999Z'}),
    } as const
    assert.equal(advance(state, earlier), state)
    assert.equal(phaseOf(advance(state, read({rev: 5, status: 'paid'}))), 'paid')
    const offline = advance(paying, failed('offline', 0))
    assert.equal(view(advance(offline, read({rev: 1})), 'paying').problem, null)
    // A later version counts, whichever clock has dated it.
    assert.equal(phaseOf(advance(state, {...earlier, checkout: {...earlier.checkout, rev: 6}})), 'paid')
  })

  it('invariant 5: paid may only become overpaid, and an observed payment stays', () => {
    const paid = after(opened({status: 'paid'}))
    for (const status of ['open', 'pending', 'underpaid', 'expired', 'cancelled'] as const)
      assert.equal(advance(paid, read({status})), paid)
    const overpaid = advance(paid, read({status: 'overpaid'}))
    assert.equal(phaseOf(overpaid), 'overpaid')
    assert.equal(advance(overpaid, read({rev: 10, status: 'paid'})), overpaid)
    const pending = after(opened({status: 'pending'}))
    assert.equal(advance(pending, read()), pending)
    for (const status of ['expired', 'cancelled'] as const)
      assert.equal(phaseOf(advance(pending, read({status}))), status)
    assert.equal(phaseOf(advance(pending, readUnderpaid)), 'underpaid')
  })
})

describe('advance: payments', () => {
  const unconfirmed = payment({transactionId: '0xbb', confirmed: false})
  const pending = (payments: Checkout['payments']) => ({status: 'pending', payments}) as const
  const merged = (before: Checkout['payments'], next: Checkout['payments']) =>
    checkoutOf(after(opened(pending(before)), read(pending(next))))?.payments

  it('invariant 5: are listed once each; once seen they stay, once confirmed they stay confirmed', () => {
    const both = [payment(), unconfirmed]
    assert.deepEqual(merged(both, both), both)
    assert.deepEqual(merged([payment()], both), both)
    assert.deepEqual(merged(both, [unconfirmed]), both)
    assert.deepEqual(merged([payment()], [payment({confirmed: false}), unconfirmed]), both)
    const inCapitals = {...payment(), transactionId: payment().transactionId.toUpperCase(), network: 'BSC'}
    assert.deepEqual(merged([payment()], [inCapitals]), [inCapitals])
    const second = payment({amount: '7'})
    assert.deepEqual(merged([payment(), second], [payment()]), [second, payment()])
    const confirmed = {...unconfirmed, confirmed: true}
    assert.deepEqual(merged(both, [payment(), confirmed]), [payment(), confirmed])
    const paid = after(opened({status: 'paid'}), read({status: 'paid', payments: both}))
    assert.deepEqual(checkoutOf(paid)?.payments, both)
  })

  it('leave the checkout as received if nothing has to be merged', () => {
    const payments = [payment(), unconfirmed]
    const next = checkout({status: 'pending', rev: 6, payments})
    const state = after(opened({status: 'pending', payments}), {kind: 'read', checkout: next})
    assert.equal(checkoutOf(state), next)
  })
})

describe('advance: dropped payments', () => {
  const unconfirmed = payment({confirmed: false})
  const dropped = {...unconfirmed, dropped: true}
  const pending = (changes: Partial<Checkout> = {}) =>
    read({status: 'pending', payments: [unconfirmed], ...changes})
  const reopened = read({rev: 7, payments: [dropped]})

  it('make a pending charge payable again, with the quote that was displayed', () => {
    const state = [pending(), reopened].reduce(advance, paying)
    assert.deepEqual(displayedQuote(state), quote())
    assert.deepEqual(checkoutOf(state)?.payments, [dropped])
    assert.equal(phaseOf(after(opened(), pending(), reopened)), 'choosing')
  })

  it('make a charge underpaid again after a part was paid', () => {
    const second = payment({transactionId: '0xbb', confirmed: false})
    const payments = [payment(), {...second, dropped: true}]
    const secondPending = pending({rev: 7, payments: [payment(), second]})
    const paidInPart = [readUnderpaid, secondPending].reduce(advance, paying)
    assert.equal(phaseOf(paidInPart), 'confirming')
    const state = advance(paidInPart, {kind: 'read', checkout: underpaid({rev: 8, payments})})
    assert.equal(phaseOf(state), 'underpaid')
    assert.deepEqual(checkoutOf(state)?.payments, payments)
  })

  it('invariant 5: a pending charge is not open again while a payment was not dropped', () => {
    const confirming = advance(paying, pending())
    const other = payment({transactionId: '0xbb', confirmed: false})
    for (const refusedRead of [
      read({rev: 7}),
      read({rev: 7, payments: [unconfirmed]}),
      read({rev: 7, payments: [{...other, dropped: true}]}),
      read({rev: 7, payments: [dropped, other]}),
      read({payments: [dropped]}),
    ])
      assert.equal(advance(confirming, refusedRead), confirming)
    const paidInPart = after({kind: 'opened', checkout: underpaid()})
    assert.equal(advance(paidInPart, read({rev: 7, payments: [dropped]})), paidInPart)
  })
})

describe('advance: alerts that may end', () => {
  for (const alert of ['payment_unreadable', 'price_mismatch'] as const) {
    const alerting = read({alert, payable: false, quote: null})

    it(`${alert} removes the quote, and shows its address as the earlier one`, () => {
      const {reason} = view(advance(paying, alerting), 'unavailable')
      assert.deepEqual(reason, {kind: 'alert', alert, addresses: [quote().address]})
      const {reason: first} = view(after(opened({alert, payable: false})), 'unavailable')
      assert.deepEqual(first, {kind: 'alert', alert, addresses: []})
    })
  }
})
