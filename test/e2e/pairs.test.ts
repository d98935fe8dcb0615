/**
 * Every asset on every network of the specification, quoted over HTTP through the proxy. The test calculates each amount
 * with integers from the recorded response.
 */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {after, before, describe, it} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore, type Checkout, type CheckoutServer} from '../../src/server/index.js'
import {amountIn, isAtLeast, placesFor, roundedUp, unitsOf} from '../exact.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {startRecordingProxy, type RecordingProxy} from './recording-proxy.js'

/** The last one leads to amounts with more digits than a float represents exactly. */
const prices = ['0.01', '64.85', '987654.32']

describe('every pair of the specification, quoted over HTTP', () => {
  const sandbox = createSandbox()
  const server = createServer()
  let service: RunningSandbox
  let recorder: RecordingProxy
  let checkout: CheckoutServer
  let proxy: string

  before(async () => {
    service = await sandbox.listen()
    recorder = await startRecordingProxy(service.url)
    checkout = createCheckout({apiKey: sandbox.apiKey, baseUrl: recorder.url, store: memoryStore()})
    server.on('request', (req, res) => void checkout.node(req, res))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    proxy = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/crypto-checkout`
  })

  after(async () => {
    server.close()
    server.closeAllConnections()
    await checkout.close()
    await recorder.close()
    await service.close()
  })

  it('there are 26 of them, of 17 assets', () => {
    assert.equal(new Set(pairs.map(({convertId, network}) => `${convertId} ${network}`)).size, 26)
    assert.equal(new Set(pairs.map(({convertId}) => convertId)).size, 17)
  })

  for (const price of prices)
    it(`invariant 2: for $${price} each amount equals an exact calculation, and is never short`, async () => {
      const chargeId = await createCharge(price)
      const {assets} = await request(`/charges/${chargeId}`, {})
      const offered = assets.flatMap(({id, networks}) => networks.map(network => `${id} ${network.id}`))
      assert.deepEqual(offered.sort(), pairs.map(({convertId, network}) => `${convertId} ${network}`).sort())

      for (const {convertId, symbol, network, decimals} of pairs) {
        const before = converts().length
        const {quote} = await request(`/charges/${chargeId}/quote`, {asset: convertId, network})
        const [convert, ...others] = converts().slice(before)
        assert(quote && convert && others.length === 0, `${symbol} on ${network}: one convert, one quote`)
        assert.equal(convert.method, 'GET')
        assert.deepEqual(JSON.parse(convert.requestBody).local, {amount: price, currency: 'USD'})

        const exact = amountIn(convert.responseBody)
        assert(exact, convert.responseBody)
        const expected = roundedUp(exact, placesFor(exact, decimals))
        assert.equal(quote.amount, expected, `${symbol} on ${network}, from ${convert.responseBody}`)
        assert(isAtLeast(quote.amount, exact), `${symbol} on ${network} is not short`)
        assert.equal(BigInt(quote.baseUnits ?? -1), unitsOf(quote.amount, decimals))
        assert.equal(quote.address.toLowerCase(), activatedAddress(chargeId, convertId, network))
      }
    })

  function converts() {
    return recorder.exchanges.filter(({path}) => path === '/api/v1/pay/crypto/convert')
  }

  /** In lower case, because networks differ in case. */
  function activatedAddress(chargeId: string, convertId: string, network: string): string | undefined {
    const activated = sandbox.charge(chargeId)?.cryptoCharges.flatMap(one => one.activated)
    return activated?.find(one => one.asset === convertId && one.network === network)?.address.toLowerCase()
  }

  async function createCharge(amount: string): Promise<string> {
    const {_id} = await checkout.service.createCharge({
      ref_id: 'order-1',
      customer: {user_id: 'u', name: 'Ada', phone: '', email: ''},
      billing: {currency: 'USD', amount, pricing_type: 'fixed_price', description: 'A book', country: 'GB'},
      metadata: {},
      call_back_url: '',
      userId: 'u',
      charge_source: 'api',
    })
    return _id
  }

  async function request(path: string, body: unknown): Promise<Checkout> {
    const headers = {'content-type': 'application/json'}
    const response = await fetch(proxy + path, {method: 'POST', headers, body: JSON.stringify(body)})
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return JSON.parse(text) as Checkout
  }
})
