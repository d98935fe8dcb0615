/** What the larger tests of the core step over: each small rule by itself, so that none can go unnoticed. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Problem} from '../../src/contract/problem.js'
import {
  advance,
  amountMoved,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  samePair,
  type Event,
  type State,
} from '../../src/core/advance.js'
import {readAfter} from '../../src/core/ladder.js'
import {search} from '../../src/core/listing.js'
import {sceneOf} from '../../src/core/phase.js'
import {browserProblem, passes} from '../../src/core/problems.js'
import {pairForRest} from '../../src/core/rest.js'
import {checkout, eth, onBsc, onEthereum, payment, quote, underpaid, usdt} from './sample.js'

const refusal: Problem = {
  type: 'about:blank',
  title: 'x',
  status: 502,
  code: 'activation_failed',
  requestId: 'r',
}
const forgotten: Problem = {...refusal, status: 404, code: 'not_open'}

function after(...events: Event[]): State {
  return [{type: 'follow', chargeId: 'charge-1'} satisfies Event, ...events].reduce(advance, idle)
}

const opened = (changes: Partial<Checkout> = {}): Event => ({type: 'opened', checkout: checkout(changes)})
const read = (changes: Partial<Checkout> = {}): Event => ({
  type: 'read',
  checkout: checkout({rev: 6, ...changes}),
})
const ask = (pair = onBsc): Event => ({type: 'ask', pair})
const quoted = (given: Quote, ticket = 1): Event => ({
  type: 'quoted',
  ticket,
  checkout: checkout({rev: 5, quote: given}),
})
const refused = (ticket: number): Event => ({type: 'refused', ticket, problem: refusal})
const paying = after(opened(), ask(), quoted(quote()))
const other = quote({...onEthereum, address: '0x2', amount: '100.09'})

function following(state: State) {
  assert.ok(state.at === 'following')
  return state
}

describe('what a state tells', () => {
  it('needs opening until there was an answer', () => {
    assert.deepEqual([idle, after(), after(opened())].map(needsOpening), [false, true, false])
    assert.equal(needsOpening(after({type: 'failed', problem: refusal})), true)
  })

  it('has a checkout once there was one, also in an alarm', () => {
    assert.equal(checkoutOf(idle), null)
    assert.equal(checkoutOf(after()), null)
    assert.equal(checkoutOf(advance(paying, {type: 'failed', problem: forgotten}))?.chargeId, 'charge-1')
  })

  it('knows the charge that it follows, and none when idle', () => {
    assert.equal(chargeIdOf(idle), null)
    assert.deepEqual([after(), paying].map(chargeIdOf), ['charge-1', 'charge-1'])
    assert.equal(advance(idle, read()), idle)
    assert.equal(advance(idle, {type: 'failed', problem: refusal}), idle)
  })

  it('a pair is an asset and a network', () => {
    assert.equal(samePair(onBsc, onEthereum), false)
    assert.equal(samePair(onEthereum, {asset: '1027', network: 'ethereum'}), false)
    assert.equal(samePair(onBsc, {...onBsc}), true)
  })

  it('an amount has moved only where the same pair asks for another', () => {
    assert.equal(amountMoved(checkout(), quote()), false)
    assert.equal(amountMoved(checkout({quote: other}), quote()), false)
    assert.equal(amountMoved(checkout({quote: quote()}), quote()), false)
    assert.equal(amountMoved(checkout({quote: quote({amount: '101'})}), quote()), true)
  })
})

describe('alarms', () => {
  const alert = {alert: 'address_mismatch', payable: false} as const

  it('says why', () => {
    const reasons = [
      after(opened(alert)),
      advance(paying, read({quote: quote({address: '0x9'})})),
      advance(paying, read({journal: 'journal-2'})),
      advance(paying, {type: 'failed', problem: forgotten}),
    ].map(state => state.at === 'alarmed' && state.reason)
    assert.deepEqual(reasons, ['address_mismatch', 'address_mismatch', 'journal_changed', 'not_open'])
  })

  it('what is not available says of what kind that is', () => {
    const kinds = [
      after({type: 'failed', problem: refusal}),
      after(opened(alert)),
      after(opened({payable: false})),
    ].map(state => {
      const scene = sceneOf(state)
      return scene.phase === 'unavailable' && scene.why.kind
    })
    assert.deepEqual(kinds, ['problem', 'alarm', 'closed'])
  })

  it('a proxy that starts another journal before an address was shown leaves nothing behind', () => {
    assert.deepEqual(following(after(opened(), read({journal: 'journal-2'}))).shown, [])
  })
})

describe('quotes', () => {
  it('a refusal opens the asset again where there is another network, else the list', () => {
    const assetAfter = (...events: Event[]) => {
      const scene = sceneOf(after(...events))
      assert.ok(scene.phase === 'choosing')
      return scene.asset
    }
    assert.equal(assetAfter(opened(), ask(), refused(1)), '825')
    assert.equal(assetAfter(opened(), ask({asset: '1027', network: 'ethereum'}), refused(1)), null)
    assert.equal(assetAfter(opened(), ask({asset: '999', network: 'bsc'}), refused(1)), null)
  })

  it('a late refusal of a renewal changes nothing', () => {
    const renewing = advance(advance(paying, ask()), ask())
    assert.equal(advance(renewing, refused(2)), renewing)
    assert.equal(advance(renewing, refused(1)), renewing)
  })

  it('a renewal for the same amount has nothing to say about the one before', () => {
    const {way} = following(advance(advance(paying, ask()), quoted(quote(), 2)))
    assert.ok(way.step === 'paying')
    assert.equal(way.before, null)
  })

  it('remembers each pair shown once, as it was shown last', () => {
    const dearer = quote({amount: '100.20'})
    const state = [ask(onEthereum), quoted(other, 2), ask(onBsc), quoted(dearer, 3)].reduce(advance, paying)
    assert.deepEqual(following(state).shown, [other, dearer])
    const scene = sceneOf(advance(state, {type: 'back'}))
    assert.deepEqual(scene.phase === 'choosing' && scene.earlier, dearer)
    const third = quote({asset: '1027', network: 'ethereum', symbol: 'ETH', address: '0x3'})
    const last = sceneOf([ask(third), quoted(third, 4), {type: 'back'} as const].reduce(advance, state))
    assert.deepEqual(last.phase === 'choosing' && last.earlier, third)
  })

  it('leaves what the customer was doing once nothing may be paid', () => {
    for (const state of [paying, after(opened(), ask()), after(opened(), {type: 'look', asset: '825'})])
      assert.equal(following(advance(state, read({status: 'open', payable: false}))).way.step, 'begin')
  })

  it('takes the amount off where another is due, or in another currency, and keeps it where it is the same', () => {
    const wayAt = (amount: string, currency = 'USD') =>
      following(advance(paying, read({due: {amount, currency}}))).way.step
    assert.equal(wayAt('40.00'), 'begin')
    assert.equal(wayAt('100.00', 'EUR'), 'begin')
    assert.equal(wayAt('100'), 'paying')
    const covers = {amount: '100.50', currency: 'USD'}
    const half = after(opened({due: covers, quote: quote({covers})}))
    const state = advance(half, read({due: {amount: '100.5', currency: 'USD'}}))
    assert.equal(following(state).way.step, 'paying')
  })

  it('goes on quoting, or looking around, where nothing has changed for it', () => {
    const asked = advance(after(opened(), ask()), {type: 'read', checkout: underpaid()})
    assert.equal(following(asked).way.step, 'quoting')
    const looking = advance(after(opened(), {type: 'look', asset: '825'}), read())
    assert.equal(following(looking).way.step, 'choosing')
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
      type: 'read',
      checkout: next,
    })
    assert.equal(checkoutOf(state), next)
  })

  it('name the way to pay the rest: the last of them, where that is open', () => {
    const inEth = payment({currency: 'ETH', network: 'ethereum'})
    const rest = underpaid({payments: [payment(), payment({transactionId: '0xbb'}), inEth]})
    assert.deepEqual(pairForRest(rest, null), {asset: '1027', network: 'ethereum'})
    assert.deepEqual(pairForRest(rest, {asset: '1', network: 'bsc'}), {asset: '1027', network: 'ethereum'})
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
      passes({...refusal, status}),
    )
    assert.deepEqual(passing, [0, 399, 404, 429, 500, 503])
  })
})

it('what has ended is read for half an hour', () => {
  const moment = {phase: 'expired', streaming: false, chance: 0.5} as const
  assert.equal(readAfter({...moment, elapsed: 30 * 60_000 - 1}), 30_000)
  assert.equal(readAfter({...moment, phase: 'confirming', elapsed: 5 * 60_000 - 1}), 5_000)
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
