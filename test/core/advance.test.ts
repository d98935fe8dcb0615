import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Problem} from '../../src/contract/problem.js'
import {
  advance,
  hasNewerAmount,
  checkoutOf,
  idle,
  needsOpening,
  type Action,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {phaseOf, viewStateOf} from '../../src/core/phase.js'
import {checkout, onBsc, onEthereum, payment, quote, underpaid} from './sample.js'

function after(...events: Action[]): State {
  return [{kind: 'start', chargeId: 'charge-1'} satisfies Action, ...events].reduce(advance, idle)
}

const opened = (changes: Partial<Checkout> = {}): Action => ({kind: 'opened', checkout: checkout(changes)})
const read = (changes: Partial<Checkout> = {}): Action => ({
  kind: 'read',
  checkout: checkout({rev: 5, ...changes}),
})
const ask = (pair = onBsc): Action => ({kind: 'requestQuote', pair})
const quoted = (given: Quote, pair: Pair = given, changes: Partial<Checkout> = {}): Action => ({
  kind: 'quoted',
  pair,
  checkout: checkout({rev: 5, quote: given, ...changes}),
})
const failed = (code: string, status = 503): Action => ({kind: 'failed', problem: problem(code, status)})

function problem(code: string, status = 502): Problem {
  return {type: 'about:blank', title: code, status, code, requestId: 'r-1'}
}

function shownQuote(state: State): Quote | null {
  const scene = viewStateOf(state)
  return scene.phase === 'paying' ? scene.step.quote : null
}

describe('opening', () => {
  it('is idle without a charge, loading with one, and choosing once it is open', () => {
    assert.equal(phaseOf(idle), 'idle')
    assert.equal(phaseOf(after()), 'loading')
    assert.equal(phaseOf(after(opened())), 'choosing')
    assert.equal(phaseOf(after(opened(), {kind: 'start', chargeId: null})), 'idle')
  })

  it('is unavailable when no checkout could be had, and recovers with the next answer', () => {
    const state = after(failed('upstream_timeout'))
    assert.equal(phaseOf(state), 'unavailable')
    assert.equal(phaseOf(advance(state, opened())), 'choosing')
  })

  it('shows loading again when the customer retries', () => {
    assert.equal(phaseOf(after(failed('offline'), {kind: 'retry'})), 'loading')
    assert.equal(phaseOf(after(opened(), {kind: 'retry'})), 'choosing')
  })

  it('shows the quote it was given on opening', () => {
    assert.equal(phaseOf(after(opened({quote: quote()}))), 'paying')
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid()})), 'underpaid')
    const covers = {amount: '40.00', currency: 'USD'}
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid({quote: quote({covers})})})), 'paying')
  })

  it('takes no answer about another charge', () => {
    assert.equal(phaseOf(after(opened({chargeId: 'charge-2'}))), 'loading')
    assert.equal(phaseOf(after(opened(), read({chargeId: 'charge-2', status: 'paid'}))), 'choosing')
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
    assert.equal(phaseOf(after(opened({payable: false}))), 'unavailable')
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid({payable: false})})), 'underpaid')
  })
})

describe('choosing', () => {
  it('opens an asset, closes it, and goes back', () => {
    const state = after(opened(), {kind: 'expandAsset', asset: '825'})
    assert.deepEqual(viewStateOf(state).phase === 'choosing' && viewStateOf(state), {
      phase: 'choosing',
      checkout: checkout(),
      asset: '825',
      refused: null,
      earlier: null,
      problem: null,
    })
    assert.equal(phaseOf(after(opened(), ask(), {kind: 'back'})), 'choosing')
    assert.equal(phaseOf(after(opened(), ask(), quoted(quote()), {kind: 'back'})), 'choosing')
  })

  it('goes back to choosing also when the charge is underpaid', () => {
    assert.equal(phaseOf(after({kind: 'opened', checkout: underpaid()}, {kind: 'back'})), 'choosing')
  })

  it('asks for nothing that may not be paid', () => {
    const state = after(opened({status: 'expired'}))
    assert.equal(advance(state, ask()), state)
    assert.equal(advance(state, {kind: 'back'}), state)
  })

  it('keeps an expired, paid or unknown charge as it is when something is chosen', () => {
    for (const state of [idle, after(), after(failed('offline')), after(opened({status: 'paid'}))])
      for (const event of [ask(), {kind: 'back'}, {kind: 'expandAsset', asset: '1'}] satisfies Action[])
        assert.equal(advance(state, event), state)
  })

  it('leaves the choice and tells the customer when part of the money arrives', () => {
    const state = after(opened(), {kind: 'expandAsset', asset: '825'}, {kind: 'read', checkout: underpaid()})
    assert.equal(phaseOf(state), 'underpaid')
  })
})

describe('quoting', () => {
  it('shows the quote that was asked for', () => {
    const state = after(opened(), ask())
    assert.equal(phaseOf(state), 'quoting')
    assert.deepEqual(shownQuote(advance(state, quoted(quote()))), quote())
  })

  it('never shows a late answer to an earlier choice', () => {
    const late = quoted(quote())
    const state = after(opened(), ask(onBsc), ask(onEthereum), late)
    assert.equal(phaseOf(state), 'quoting')
    const other = quote({...onEthereum, address: '0x2', amount: '100.09'})
    assert.equal(shownQuote(advance(state, quoted(other, onEthereum, {rev: 7})))?.network, 'ethereum')
    assert.equal(phaseOf(after(opened(), ask(), {kind: 'back'}, late)), 'choosing')
  })

  it('invariant 1: no address is shown unless this page asked for it or was given it on opening', () => {
    assert.equal(shownQuote(after(opened(), read({quote: quote()}))), null)
    assert.equal(shownQuote(after(opened(), ask(onEthereum), read({quote: quote()}))), null)
    assert.equal(shownQuote(after(opened(), ask(onEthereum), quoted(quote(), onEthereum))), null)
    assert.equal(shownQuote(after({kind: 'read', checkout: checkout({quote: quote()})})), null)
  })

  it('is choosing again, with the reason, when the quote is refused', () => {
    const state = after(opened(), ask(), {
      kind: 'refused',
      pair: onBsc,
      problem: problem('activation_failed'),
    })
    const scene = viewStateOf(state)
    assert.ok(scene.phase === 'choosing')
    assert.equal(scene.refused?.problem.code, 'activation_failed')
    assert.deepEqual(scene.refused?.pair, onBsc)
    assert.equal(scene.asset, '825')
  })

  it('drops a late refusal of an earlier choice', () => {
    const state = after(opened(), ask(onBsc), ask(onEthereum))
    assert.equal(advance(state, {kind: 'refused', pair: onBsc, problem: problem('activation_failed')}), state)
  })

  it('calls an answer without the pair that was asked for unreadable', () => {
    const scene = viewStateOf(after(opened(), ask(onEthereum), quoted(quote(), onEthereum)))
    assert.ok(scene.phase === 'choosing')
    assert.equal(scene.refused?.problem.code, 'proxy_invalid')
  })

  it('shows the newer word about the pair when a read has overtaken the answer', () => {
    const state = after(opened(), ask(), read({rev: 9, quote: quote({amount: '100.07'})}), quoted(quote()))
    assert.equal(shownQuote(state)?.amount, '100.07')
  })

  it('shows no quote that does not cover what is due', () => {
    const state = after(opened(), ask(), quoted(quote(), onBsc, {due: {amount: '40.00', currency: 'USD'}}))
    assert.equal(shownQuote(state), null)
  })
})

describe('paying', () => {
  const paying = after(opened(), ask(), quoted(quote()))

  it('invariant 4: another tab’s quote, for this pair or another, replaces nothing', () => {
    const other = quote({...onEthereum, address: '0x2'})
    assert.deepEqual(shownQuote(advance(paying, read({rev: 6, quote: other}))), quote())
    const dearer = advance(paying, read({rev: 6, quote: quote({amount: '101'})}))
    assert.deepEqual(shownQuote(dearer), quote())
    assert.ok(dearer.kind === 'active' && hasNewerAmount(dearer.checkout, quote()))
  })

  it('invariant 5: a failed read, a stale answer or a missing quote takes no address off the screen', () => {
    for (const event of [
      failed('upstream_unavailable'),
      failed('proxy_unreachable', 0),
      failed('charge_not_found', 404),
      failed('unauthorized', 401),
      read({rev: 6, stale: true}),
      read({rev: 6, quote: null}),
    ])
      assert.deepEqual(shownQuote(advance(paying, event)), quote())
  })

  it('forgets the problem with the next answer', () => {
    const state = advance(advance(paying, failed('offline', 0)), read({rev: 6, quote: quote()}))
    assert.ok(state.kind === 'active' && state.problem === null)
  })

  it('takes the quote off when the checkout is not payable any more', () => {
    for (const status of ['pending', 'paid', 'overpaid', 'expired', 'cancelled'] as const)
      assert.equal(shownQuote(advance(paying, read({rev: 6, status}))), null)
    const state = advance(paying, {kind: 'read', checkout: underpaid()})
    assert.equal(phaseOf(state), 'underpaid')
  })

  it('keeps the quote when only the way the same amount is written differs', () => {
    const state = advance(paying, read({rev: 6, due: {amount: '100', currency: 'USD'}, quote: null}))
    assert.deepEqual(shownQuote(state), quote())
  })

  it('renews by the customer’s own action, keeps the old amount meanwhile, and says what it was', () => {
    const asked = advance(paying, ask())
    assert.equal(phaseOf(asked), 'paying')
    assert.equal(shownQuote(asked)?.amount, '100.05')
    const renewed = viewStateOf(advance(asked, quoted(quote({amount: '100.20'}), onBsc, {rev: 7})))
    assert.ok(renewed.phase === 'paying')
    assert.equal(renewed.step.quote.amount, '100.20')
    assert.equal(renewed.step.previousAmount, '100.05')
  })

  it('keeps the old amount when the renewal is refused', () => {
    const state = advance(advance(paying, ask()), {
      kind: 'refused',
      pair: onBsc,
      problem: problem('upstream_unavailable'),
    })
    const scene = viewStateOf(state)
    assert.ok(scene.phase === 'paying')
    assert.equal(scene.step.quote.amount, '100.05')
    assert.equal(scene.step.renewal?.kind, 'refused')
  })

  it('shows no amount of the rest when part of the money arrives during a renewal', () => {
    const covers = {amount: '40.00', currency: 'USD'}
    const state = advance(advance(paying, ask()), {
      kind: 'quoted',
      pair: onBsc,
      checkout: underpaid({rev: 9, quote: quote({covers, amount: '40.02'})}),
    })
    assert.equal(phaseOf(state), 'underpaid')
  })

  it('does not call a quote for the rest a changed price', () => {
    const covers = {amount: '40.00', currency: 'USD'}
    const state = after(opened(), ask(), quoted(quote()), {kind: 'read', checkout: underpaid()}, ask(), {
      kind: 'quoted',
      pair: onBsc,
      checkout: underpaid({rev: 9, quote: quote({covers, amount: '40.02'})}),
    })
    const scene = viewStateOf(state)
    assert.ok(scene.phase === 'paying')
    assert.equal(scene.step.previousAmount, null)
    assert.equal(scene.step.quote.amount, '40.02')
  })

  it('remembers the pair shown last, for the rest', () => {
    const scene = viewStateOf(advance(paying, {kind: 'read', checkout: underpaid()}))
    assert.ok(scene.phase === 'underpaid')
    assert.equal(scene.last?.network, 'bsc')
  })
})

describe('alarms', () => {
  const paying = after(opened(), ask(), quoted(quote()))

  it('invariant 4: an answer with another address for a shown pair is an alarm, not an update', () => {
    const swapped = quote({address: '0x2222'})
    for (const event of [
      read({rev: 6, quote: swapped}),
      read({rev: 1, quote: swapped}),
      {
        kind: 'read',
        checkout: checkout({rev: 6, alert: 'address_mismatch', payable: false}),
      } satisfies Action,
    ]) {
      const scene = viewStateOf(advance(paying, event))
      assert.ok(scene.phase === 'unavailable' && scene.reason.kind === 'alarm')
      assert.deepEqual(scene.reason.addresses, [quote().address])
    }
  })

  it('raises the alarm also for a pair that was shown before, and when the customer asks for it again', () => {
    const back = advance(paying, {kind: 'back'})
    assert.equal(phaseOf(advance(back, read({rev: 6, quote: quote({address: '0x2222'})}))), 'unavailable')
    const asked = advance(advance(back, ask()), quoted(quote({address: '0x2222'}), onBsc, {rev: 7}))
    assert.equal(phaseOf(asked), 'unavailable')
  })

  it('a lost journal or a forgotten charge is an alarm once an address was shown', () => {
    assert.equal(phaseOf(advance(paying, read({rev: 1, journal: 'journal-2'}))), 'unavailable')
    assert.equal(phaseOf(advance(paying, failed('not_open', 404))), 'unavailable')
    const confirming = advance(paying, read({rev: 6, status: 'pending'}))
    assert.equal(phaseOf(advance(confirming, failed('not_open', 404))), 'unavailable')
    const refused = advance(advance(paying, ask()), {
      kind: 'refused',
      pair: onBsc,
      problem: problem('not_open', 404),
    })
    assert.equal(phaseOf(refused), 'unavailable')
  })

  it('the same once a payment was seen, whoever made it: nobody is asked to pay again', () => {
    const seen = advance(after(opened()), read({rev: 6, status: 'pending', payments: [payment()]}))
    assert.equal(phaseOf(advance(seen, read({rev: 1, journal: 'journal-2'}))), 'unavailable')
    assert.equal(phaseOf(advance(seen, failed('not_open', 404))), 'unavailable')
  })

  it('invariant 5: a payment that was seen stays, from whatever journal the charge becomes paid', () => {
    const seen = advance(paying, read({rev: 6, status: 'pending', payments: [payment()]}))
    const paid = read({rev: 1, journal: 'journal-2', status: 'paid'})
    for (const before of [seen, advance(seen, failed('not_open', 404))])
      assert.deepEqual(checkoutOf(advance(before, paid))?.payments, [payment()])
  })

  it('never opens again by itself after an address was shown', () => {
    assert.equal(needsOpening(advance(paying, failed('not_open', 404))), false)
    assert.equal(needsOpening(advance(paying, failed('upstream_timeout'))), false)
  })

  it('starts over silently while no address was shown', () => {
    assert.equal(needsOpening(after(opened(), failed('not_open', 404))), true)
    const other = after(opened(), read({rev: 1, journal: 'journal-2'}))
    assert.equal(phaseOf(other), 'choosing')
    assert.ok(other.kind === 'active' && other.checkout.journal === 'journal-2')
    const older = after(opened(), read({rev: 1, journal: 'journal-2', serverTime: '2026-11-21T01:00:00Z'}))
    assert.ok(older.kind === 'active' && older.checkout.journal === 'journal-1')
  })

  it('shows a checkout that may not be paid, without a quote', () => {
    const state = advance(paying, failed('not_open', 404))
    assert.ok(state.kind === 'alarmed')
    assert.equal(state.checkout.alert, 'address_mismatch')
    assert.equal(state.checkout.payable, false)
    assert.equal(state.checkout.quote, null)
  })

  it('stays, whatever comes, until the money has settled it', () => {
    const alarmed = advance(paying, failed('not_open', 404))
    const events: Action[] = [
      opened({rev: 9}),
      read({rev: 9}),
      failed('offline', 0),
      ask(),
      {kind: 'back'},
      {kind: 'retry'},
      quoted(quote()),
    ]
    for (const event of events) assert.equal(advance(alarmed, event), alarmed)
    assert.equal(phaseOf(advance(alarmed, read({status: 'paid', journal: 'journal-2'}))), 'paid')
  })

  it('believes from any journal that the charge is paid', () => {
    const confirming = advance(paying, read({rev: 6, status: 'pending'}))
    assert.equal(phaseOf(advance(confirming, read({rev: 1, journal: 'journal-2', status: 'paid'}))), 'paid')
  })

  it('is no alarm for a charge that is paid', () => {
    const state = after(opened({status: 'paid', alert: 'address_mismatch', payable: false}))
    assert.equal(phaseOf(state), 'paid')
    assert.equal(phaseOf(advance(state, failed('not_open', 404))), 'paid')
    assert.equal(phaseOf(advance(state, read({rev: 1, journal: 'journal-2'}))), 'paid')
  })
})

describe('order', () => {
  it('invariant 5: an older answer changes nothing', () => {
    const state = after(opened({rev: 5, status: 'pending'}))
    assert.equal(advance(state, read({rev: 4, status: 'paid'})), state)
    const early = read({rev: 5, status: 'paid', serverTime: '2026-11-21T01:23:44.999Z'})
    assert.equal(advance(state, early), state)
    assert.equal(phaseOf(advance(state, read({rev: 5, status: 'paid'}))), 'paid')
  })

  it('reads moments with and without fractions alike', () => {
    const state = after(opened({rev: 5, serverTime: '2026-11-21T01:23:45Z'}))
    const next = advance(state, read({rev: 5, status: 'paid', serverTime: '2026-11-21T01:23:45.001Z'}))
    assert.equal(phaseOf(next), 'paid')
  })

  it('invariant 5: paid may only become overpaid, and money once seen is not unseen', () => {
    const paid = after(opened({status: 'paid'}))
    for (const status of ['open', 'pending', 'underpaid', 'expired', 'cancelled'] as const)
      assert.equal(advance(paid, read({rev: 9, status})), paid)
    const overpaid = advance(paid, read({rev: 9, status: 'overpaid'}))
    assert.equal(phaseOf(overpaid), 'overpaid')
    assert.equal(advance(overpaid, read({rev: 10, status: 'paid'})), overpaid)
    const pending = after(opened({status: 'pending'}))
    assert.equal(advance(pending, read({rev: 9})), pending)
    assert.equal(phaseOf(advance(pending, {kind: 'read', checkout: underpaid()})), 'underpaid')
  })

  it('lets a late payment bring an expired or cancelled charge back', () => {
    for (const status of ['expired', 'cancelled'] as const)
      assert.equal(phaseOf(after(opened({status}), read({status: 'paid'}))), 'paid')
  })

  it('invariant 5: a payment once seen stays, once confirmed stays confirmed', () => {
    const seen = [payment(), payment({transactionId: '0xbb', confirmed: false})]
    const state = after(
      opened({status: 'pending', payments: seen}),
      read({status: 'pending', payments: [payment({confirmed: false})]}),
    )
    assert.ok(state.kind === 'active')
    const byId = Object.fromEntries(state.checkout.payments.map(one => [one.transactionId, one.confirmed]))
    assert.deepEqual(byId, {'0xaa': true, '0xbb': false})
  })
})
