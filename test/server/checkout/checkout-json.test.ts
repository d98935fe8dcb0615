/** The JSON of a checkout, what of it is cached, and its tag. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {cryptoChargeSchema} from '../../../src/contract/index.js'
import {checkoutJson} from '../../../src/server/checkout/checkout-json.js'
import {toCheckout} from '../../../src/server/checkout/to-checkout.js'
import {isOpened, type OpenedState} from '../../../src/server/journal/state.js'
import type {WalletAssets} from '../../../src/server/assets/catalogue.js'
import type {Entry} from '../../../src/server/journal/entry.js'
import {applyEntries, emptyState} from '../../../src/server/journal/state.js'
import {toSnapshot} from '../../../src/server/charge/detect-change.js'
import {ScriptedService, startOfTest as at} from '../scripted-service.js'

const price = {amount: '100.00', currency: 'USD'}
const expiresAt = at + 3_600_000
const opened: Entry = {kind: 'opened', at, journal: 'j', price, createdAt: '', acceptsPartial: false}
const minted: Entry = {kind: 'minted', at, cryptoChargeId: 'k1-c1', price, expiresAt, assets: []}
const context = {now: at, stale: false, test: true}

function stateAfter(...entries: Entry[]): OpenedState {
  const state = applyEntries(emptyState, [opened, ...entries])
  assert.ok(isOpened(state))
  return state
}

function assetsAt(address?: string): WalletAssets {
  const service = new ScriptedService()
  if (address !== undefined) service.address = address
  return toSnapshot(z.parse(cryptoChargeSchema, service.cryptoCharge('k1-c1', 'c1'))).assets
}

test('the text is the checkout, with the assets of the last poll, those at minting, or none', () => {
  const assets = assetsAt()
  for (const [state, given] of [
    [stateAfter(minted), assets],
    [stateAfter(minted), undefined],
    [stateAfter(), undefined],
  ] as const) {
    const {text, time} = checkoutJson('c1', state, context, given)
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(toCheckout('c1', state, context, given))))
    assert.equal(time, new Date(at).toISOString())
  }
})

test('the same state at the same time is the same object, and at another time has the same tag', () => {
  const state = stateAfter(minted)
  const assets = assetsAt()
  const first = checkoutJson('c1', state, context, assets)
  assert.equal(checkoutJson('c1', state, context, assets), first)
  assert.equal(checkoutJson('c1', state, context, assets).text, first.text)
  const later = checkoutJson('c1', state, {...context, now: at + 1}, assets)
  assert.notEqual(later, first)
  assert.equal(later.cached, first.cached)
  assert.equal(later.etag, first.etag)
  assert.equal(JSON.parse(later.text).serverTime, new Date(at + 1).toISOString())
  const other = stateAfter(minted)
  assert.notEqual(checkoutJson('c1', other, {...context, now: at + 1}, assets), later)
})

test('the tag changes with the state, a stale response, the expiry and the assets', () => {
  const state = stateAfter(minted)
  const assets = assetsAt()
  const tag = (changes: object = {}, of = state, shown = assets) =>
    checkoutJson('c1', of, {...context, ...changes}, shown).etag
  const first = tag()
  const other = assetsAt('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
  for (const changed of [
    tag({stale: true}),
    tag({now: expiresAt}),
    tag({latest: expiresAt}),
    tag({}, stateAfter(minted, {kind: 'alert', at, alert: 'price_mismatch'})),
    tag({}, state, {...assets, catalogue: {assets: []}}),
  ])
    assert.notEqual(changed, first)
  // Both times are after the expiry, then one of them.
  assert.notEqual(tag({now: expiresAt}), tag({now: at, latest: expiresAt}))
  // Addresses are shown with a quote only.
  assert.equal(tag({}, state, other), first)
  assert.equal(tag(), first)
})

// Instances of different versions answer the same tab during a deployment.
test('the tag is the revision and a hash that is the same everywhere', () => {
  const {etag} = checkoutJson('c1', stateAfter(minted), context, assetsAt())
  assert.equal(etag, 'W/"2-nh5tkm8lwfnj98of6hre"')
})
