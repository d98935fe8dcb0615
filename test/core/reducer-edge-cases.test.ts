/** What the larger tests of the core step over: each small rule by itself, so that none can go unnoticed. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Problem} from '../../src/contract/problem.js'
import {
  advance,
  hasNewerAmount,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  samePair,
  type Action,
  type Pair,
  type State,
} from '../../src/core/advance.js'
import {nextPollDelay} from '../../src/core/poll-interval.js'
import {search} from '../../src/core/listing.js'
import {viewStateOf} from '../../src/core/phase.js'
import {browserProblem, isTransient} from '../../src/core/problems.js'
import {pairForRemaining} from '../../src/core/remaining.js'
import {checkout, eth, onBsc, onEthereum, payment, quote, underpaid, usdt} from './sample.js'

const refusal: Problem = {
  type: 'about:blank',
  title: 'x',
  status: 502,
  code: 'activation_failed',
  requestId: 'r',
}
const forgotten: Problem = {...refusal, status: 404, code: 'not_open'}

function after(...events: Action[]): State {
  return [{kind: 'start', chargeId: 'charge-1'} satisfies Action, ...events].reduce(advance, idle)
}

const opened = (changes: Partial<Checkout> = {}): Action => ({kind: 'opened', checkout: checkout(changes)})
const read = (changes: Partial<Checkout> = {}): Action => ({
  kind: 'read',
  checkout: checkout({rev: 6, ...changes}),
})
const ask = (pair = onBsc): Action => ({kind: 'requestQuote', pair})
const quoted = (given: Quote): Action => ({
  kind: 'quoted',
  pair: given,
  checkout: checkout({rev: 5, quote: given}),
})
const refused = (pair: Pair = onBsc): Action => ({kind: 'refused', pair, problem: refusal})
const paying = after(opened(), ask(), quoted(quote()))
const other = quote({...onEthereum, address: '0x2', amount: '100.09'})

function following(state: State) {
  assert.ok(state.kind === 'active')
  return state
}

describe('what a state tells', () => {
  it('needs opening until there was an answer', () => {
    assert.deepEqual([idle, after(), after(opened())].map(needsOpening), [false, true, false])
    assert.equal(needsOpening(after({kind: 'failed', problem: refusal})), true)
  })

  it('has a checkout once there was one, also in an alarm', () => {
    assert.equal(checkoutOf(idle), null)
    assert.equal(checkoutOf(after()), null)
    assert.equal(checkoutOf(advance(paying, {kind: 'failed', problem: forgotten}))?.chargeId, 'charge-1')
  })

  it('knows the charge that it follows, and none when idle', () => {
    assert.equal(chargeIdOf(idle), null)
    assert.deepEqual([after(), paying].map(chargeIdOf), ['charge-1', 'charge-1'])
    assert.equal(advance(idle, read()), idle)
    assert.equal(advance(idle, {kind: 'failed', problem: refusal}), idle)
  })

  it('a pair is an asset and a network', () => {
    assert.equal(samePair(onBsc, onEthereum), false)
    assert.equal(samePair(onEthereum, {asset: '1027', network: 'ethereum'}), false)
    assert.equal(samePair(onBsc, {...onBsc}), true)
  })

  it('an amount has moved only where the same pair asks for another', () => {
    assert.equal(hasNewerAmount(checkout(), quote()), false)
    assert.equal(hasNewerAmount(checkout({quote: other}), quote()), false)
    assert.equal(hasNewerAmount(checkout({quote: quote()}), quote()), false)
    assert.equal(hasNewerAmount(checkout({quote: quote({amount: '101'})}), quote()), true)
  })
})

describe('alarms', () => {
  const alert = {alert: 'address_mismatch', payable: false} as const

  it('says why', () => {
    const reasons = [
      after(opened(alert)),
      advance(paying, read({quote: quote({address: '0x9'})})),
      advance(paying, read({journal: 'journal-2'})),
      advance(paying, {kind: 'failed', problem: forgotten}),
    ].map(state => state.kind === 'alarmed' && state.reason)
    assert.deepEqual(reasons, ['address_mismatch', 'address_mismatch', 'journal_changed', 'not_open'])
  })

  it('what is not available says of what kind that is', () => {
    const kinds = [
      after({kind: 'failed', problem: refusal}),
      after(opened(alert)),
      after(opened({payable: false})),
    ].map(state => {
      const scene = viewStateOf(state)
      return scene.phase === 'unavailable' && scene.reason.kind
    })
    assert.deepEqual(kinds, ['problem', 'alarm', 'closed'])
  })

  it('a proxy that starts another journal before an address was shown leaves nothing behind', () => {
    assert.deepEqual(following(after(opened(), read({journal: 'journal-2'}))).displayed, [])
  })
})

describe('quotes', () => {
  it('a refusal opens the asset again where there is another network, else the list', () => {
    const assetAfter = (...events: Action[]) => {
      const scene = viewStateOf(after(...events))
      assert.ok(scene.phase === 'choosing')
      return scene.asset
    }
    assert.equal(assetAfter(opened(), ask(), refused()), '825')
    const [single, unknown] = [
      {asset: '1027', network: 'ethereum'},
      {asset: '999', network: 'bsc'},
    ]
    assert.equal(assetAfter(opened(), ask(single), refused(single)), null)
    assert.equal(assetAfter(opened(), ask(unknown), refused(unknown)), null)
  })

  it('a refusal of another pair than the one requested changes nothing', () => {
    const renewing = advance(paying, ask())
    assert.equal(advance(renewing, refused(onEthereum)), renewing)
    assert.equal(advance(paying, refused()), paying)
  })

  it('a renewal for the same amount has nothing to say about the one before', () => {
    const {step} = following(advance(advance(paying, ask()), quoted(quote())))
    assert.ok(step.kind === 'paying')
    assert.equal(step.previousAmount, null)
  })

  it('remembers each pair shown once, as it was shown last', () => {
    const dearer = quote({amount: '100.20'})
    const state = [ask(onEthereum), quoted(other), ask(onBsc), quoted(dearer)].reduce(advance, paying)
    assert.deepEqual(following(state).displayed, [other, dearer])
    const scene = viewStateOf(advance(state, {kind: 'back'}))
    assert.deepEqual(scene.phase === 'choosing' && scene.earlier, dearer)
    const third = quote({asset: '1027', network: 'ethereum', symbol: 'ETH', address: '0x3'})
    const last = viewStateOf([ask(third), quoted(third), {kind: 'back'} as const].reduce(advance, state))
    assert.deepEqual(last.phase === 'choosing' && last.earlier, third)
  })

  it('leaves what the customer was doing once nothing may be paid', () => {
    for (const state of [
      paying,
      after(opened(), ask()),
      after(opened(), {kind: 'expandAsset', asset: '825'}),
    ])
      assert.equal(following(advance(state, read({status: 'open', payable: false}))).step.kind, 'initial')
  })

  it('takes the amount off where another is due, or in another currency, and keeps it where it is the same', () => {
    const wayAt = (amount: string, currency = 'USD') =>
      following(advance(paying, read({due: {amount, currency}}))).step.kind
    assert.equal(wayAt('40.00'), 'initial')
    assert.equal(wayAt('100.00', 'EUR'), 'initial')
    assert.equal(wayAt('100'), 'paying')
    const covers = {amount: '100.50', currency: 'USD'}
    const half = after(opened({due: covers, quote: quote({covers})}))
    const state = advance(half, read({due: {amount: '100.5', currency: 'USD'}}))
    assert.equal(following(state).step.kind, 'paying')
  })

  it('goes on quoting, or looking around, where nothing has changed for it', () => {
    const asked = advance(after(opened(), ask()), {kind: 'read', checkout: underpaid()})
    assert.equal(following(asked).step.kind, 'quoting')
    const looking = advance(after(opened(), {kind: 'expandAsset', asset: '825'}), read())
    assert.equal(following(looking).step.kind, 'choosing')
  })
})

describe('order', () => {
  it('a newer revision counts, whatever its time', () => {
    const state = after(opened(), read({status: 'pending', serverTime: '2026-11-21T01:00:00Z'}))
    assert.equal(checkoutOf(state)?.status, 'pending')
  })

  it('an end without any payment overtakes a mere pending', () => {
    for (const status of ['expired', 'cancelled'] as const)
      assert.equal(checkoutOf(after(opened({status: 'pending'}), read({status})))?.status, status)
  })

  it('what is paid is still read: more payments may come', () => {
    const state = after(opened({status: 'paid'}), read({status: 'paid', payments: [payment()]}))
    assert.deepEqual(checkoutOf(state)?.payments, [payment()])
  })
})

describe('payments', () => {
  const waiting = payment({transactionId: '0xbb', confirmed: false})
  const paymentsAfter = (before: Checkout['payments'], next: Checkout['payments']) =>
    checkoutOf(
      after(opened({status: 'pending', payments: before}), read({status: 'pending', payments: next})),
    )?.payments

  it('are listed once each, confirmed only where they were', () => {
    assert.deepEqual(paymentsAfter([payment(), waiting], [payment(), waiting]), [payment(), waiting])
    assert.deepEqual(paymentsAfter([payment()], [payment(), waiting]), [payment(), waiting])
    assert.deepEqual(paymentsAfter([payment(), waiting], [waiting]), [payment(), waiting])
    assert.deepEqual(paymentsAfter([payment()], [payment({confirmed: false}), waiting]), [payment(), waiting])
    assert.deepEqual(paymentsAfter([payment(), waiting], [payment(), {...waiting, confirmed: true}]), [
      payment(),
      {...waiting, confirmed: true},
    ])
  })

  it('of one transaction on another network, or of another token, are others', () => {
    const elsewhere = [payment({network: 'ethereum'}), payment({currency: 'USDC'})]
    assert.deepEqual(paymentsAfter(elsewhere, [payment()]), [...elsewhere, payment()])
  })

  it('that are as they were leave the answer as it came', () => {
    const next = checkout({status: 'pending', rev: 6, payments: [payment(), waiting]})
    const state = after(opened({status: 'pending', payments: [payment(), waiting]}), {
      kind: 'read',
      checkout: next,
    })
    assert.equal(checkoutOf(state), next)
  })

  it('name the way to pay the rest: the last of them, where that is open', () => {
    const inEth = payment({currency: 'ETH', network: 'ethereum'})
    const rest = underpaid({payments: [payment(), payment({transactionId: '0xbb'}), inEth]})
    assert.deepEqual(pairForRemaining(rest, null), {asset: '1027', network: 'ethereum'})
    assert.deepEqual(pairForRemaining(rest, {asset: '1', network: 'bsc'}), {
      asset: '1027',
      network: 'ethereum',
    })
  })
})

describe('problems', () => {
  it('of the browser’s own look like those that travel', () => {
    const plain = {type: 'about:blank', title: 'offline', status: 0, code: 'offline', requestId: ''}
    assert.deepEqual(browserProblem('offline'), plain)
    assert.deepEqual(browserProblem('offline', 7), {...plain, retryAfter: 7})
  })

  it('pass by themselves unless the request is at fault', () => {
    const passing = [0, 399, 400, 401, 404, 409, 429, 499, 500, 503].filter(status =>
      isTransient({...refusal, status}),
    )
    assert.deepEqual(passing, [0, 399, 404, 429, 500, 503])
  })
})

it('what has ended is read for half an hour', () => {
  const moment = {phase: 'expired', isStreaming: false, jitter: 0.5} as const
  assert.equal(nextPollDelay({...moment, elapsedMs: 30 * 60_000 - 1}), 30_000)
  assert.equal(nextPollDelay({...moment, phase: 'confirming', elapsedMs: 5 * 60_000 - 1}), 5_000)
})

it('a search puts first whose symbol begins so, needs every word, and minds neither spaces nor hyphens', () => {
  const find = (text: string) => search([usdt, eth], text).map(({symbol}) => symbol)
  assert.deepEqual(find('eth'), ['ETH', 'USDT'])
  assert.deepEqual(find('ethereum eth'), ['ETH', 'USDT'])
  assert.deepEqual(find(' BEP20 '), ['USDT'])
  assert.deepEqual(find('usdt doge'), [])
  assert.deepEqual(find('usdttether'), [])
  assert.deepEqual(find('h'), ['USDT', 'ETH'])
  assert.deepEqual(find('usdt\t  bnb'), ['USDT'])
})
