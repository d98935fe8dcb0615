/** The JSON of a checkout, what of it is kept, and its tag. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Offer} from '../../../src/server/assets/offer.js'
import {checkoutJson} from '../../../src/server/checkout/checkout-json.js'
import {toCheckout} from '../../../src/server/checkout/to-checkout.js'
import {otherAddress, startOfTest as at} from '../scripted-service.js'
import {chargeDocument, expiresAt, readingOf} from '../sample-document.js'

const context = {
  now: at,
  expiry: at,
  stale: false,
  isBlocked: false,
  refund: undefined,
  test: true,
  offer: new Offer(),
}
const rev = 2
const assets = readingOf().snapshot?.assets ?? []

test('the text is the checkout, with the assets of the last read, those at minting, or none', () => {
  for (const [charge, given] of [
    [chargeDocument(), assets],
    [chargeDocument(), undefined],
    [chargeDocument({minted: undefined}), undefined],
  ] as const) {
    const {text, time} = checkoutJson('c1', charge, rev, context, given)
    const checkout = toCheckout('c1', charge, rev, context, given)
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(checkout)))
    assert.equal(time, new Date(at).toISOString())
  }
})

test('the tag changes with the document, the view and the assets, and not with the time', () => {
  const charge = chargeDocument()
  const tag = (changes: object = {}, of = charge, shown = assets) =>
    checkoutJson('c1', of, rev, {...context, ...changes}, shown).etag
  const first = tag()
  // Each beside the one that was kept before it.
  const views = [{stale: true}, {isBlocked: true}, {refund: 'possible'}, {expiry: expiresAt}]
  const changes = [
    ...views.map(changes => (tag(), tag(changes))),
    tag({}, chargeDocument({status: 'pending'})),
    checkoutJson('c1', chargeDocument(), rev + 1, context, assets).etag,
    tag({}, charge, []),
  ]
  assert.equal(new Set([first, ...changes]).size, changes.length + 1)
  const later = checkoutJson('c1', charge, rev, {...context, now: at + 1}, assets)
  assert.equal(later.etag, first)
  assert.equal(JSON.parse(later.text).serverTime, new Date(at + 1).toISOString())
  // Addresses are shown with a quote only.
  const moved = readingOf(service => (service.address = otherAddress)).snapshot?.assets
  assert.equal(tag({}, charge, moved), first)
})

// Instances of different versions answer the same tab during a deployment.
test('the tag is the revision and a hash that is the same everywhere', () => {
  assert.equal(checkoutJson('c1', chargeDocument(), rev, context, assets).etag, 'W/"2-o6a3x1br4"')
})

test('the text is made once of each document, which never changes', () => {
  const charge = chargeDocument()
  const text = () => checkoutJson('c1', charge, rev, context, assets).text
  const first = text()
  Object.assign(charge, {journal: 'another'})
  assert.equal(text(), first)
})
