import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {exchange, head, sendRequest, serve} from '../http/loopback.js'
import {chargeRequest, convertRequest, Fixture, json, openFixture} from './fixture.js'

const CONVERT = '/api/v1/pay/crypto/convert'

interface Network {
  readonly network: string
  readonly name?: string
  readonly contract_address?: string
  readonly asset_id?: string
  readonly isDisabled: boolean
}
interface Asset extends Network {
  readonly symbol: string
  readonly currency: string
  readonly convert_id: string
  readonly isFeaturd?: boolean
  readonly networks?: readonly Network[]
}

async function readAssets(fixture: Fixture): Promise<readonly Asset[]> {
  return json(await fixture.getCryptoCharge()).wallet.addresses
}

describe('the catalogue', () => {
  it('has the 17 assets and 26 pairs of the specification, with their contracts', async () => {
    const offered = (await readAssets(await openFixture())).flatMap(({symbol, convert_id, ...asset}) =>
      (asset.networks ?? [asset]).map(({name, network, contract_address, asset_id}) => ({
        ...{symbol, convertId: convert_id, network: asset.networks ? name : network},
        ...(contract_address && {contract: contract_address}),
        ...(asset_id && {assetId: asset_id}),
      })),
    )
    const sorted = (list: readonly object[]) =>
      list.map(pair => JSON.stringify(Object.entries(pair).sort())).sort()
    assert.deepEqual(sorted(offered), sorted(pairs.map(({decimals: _, ...pair}) => pair)))
  })

  it('can disable an asset or one of its networks', async () => {
    const fixture = await openFixture()
    fixture.sandbox.setDisabled('USDT', 'bsc')
    fixture.sandbox.setDisabled('ETH')
    const assets = await readAssets(fixture)
    const find = (wanted: string) => assets.find(({symbol}) => symbol === wanted)
    assert.deepEqual(
      find('USDT')?.networks?.map(({isDisabled}) => isDisabled),
      [true, false],
    )
    assert.equal(find('ETH')?.isDisabled, true)
    const eth = {wallet: {symbol: 'ETH', convert_id: '1027', chart: 'cmc'}, network: 'ethereum'}
    for (const pair of [{}, eth]) assert.match((await fixture.convert(pair)).body, /disabled/)
    fixture.sandbox.setDisabled('USDT', 'bsc', false)
    assert.equal((await fixture.convert()).status, 200)
  })

  it('can be replaced by unknown assets and networks', async () => {
    const networks = [{name: 'newnet', decimals: 9}]
    const asset = {convertId: '99', symbol: 'NEW', name: 'New', currency: 'new', isToken: false, networks}
    const fixture = await openFixture({catalogue: [asset]})
    assert.equal((await readAssets(fixture))[0]?.symbol, 'NEW')
    const wallet = {symbol: 'NEW', convert_id: '99', chart: 'cmc'}
    assert.equal(json(await fixture.convert({wallet, network: 'newnet'})).amount, 49.99)
  })
})

describe('the service', () => {
  it('adds an empty key to each address when a crypto charge is read', async () => {
    const fixture = await openFixture()
    assert.doesNotMatch((await fixture.createCryptoCharge()).body, /"key"/)
    const {body} = await fixture.getCryptoCharge()
    assert.equal(body.match(/"account":\{"address":"\w+","key":""\}/g)?.length, pairs.length)
  })

  it('converts by a GET or POST whose body has a length, beside the paths of a shop', async t => {
    const sandbox = createSandbox()
    const port = await serve(t, (req, res) => void sandbox.node(req, res, () => res.end('the shop')))
    const send = (method: string, path: string, body?: object) =>
      sendRequest(`http://127.0.0.1:${port}${path}`, {
        method,
        body: body && JSON.stringify(body),
        headers: {'api-key': sandbox.apiKey, 'content-type': 'application/json'},
      })
    assert.equal((await send('GET', '/')).body, 'the shop')
    assert.equal((await send('POST', '/sandbox/pay', {id: 'x'.repeat(20_000)})).status, 413)
    const {_id} = json(await send('POST', '/api/v1/pay/charge', chargeRequest()))
    const {_id: id} = json(await send('POST', `/api/v1/pay/crypto/${_id}`))
    const activated = () => sandbox.charge(_id)?.cryptoCharges[0]?.activated.map(({network}) => network)
    const headers = ['host: a', `api-key: ${sandbox.apiKey}`, 'content-type: application/json']
    const withoutLength = head(`GET ${CONVERT} HTTP/1.1`, ...headers)
    assert.match(await exchange(port, withoutLength, JSON.stringify(convertRequest(id))), /^HTTP\/1\.1 400 /)
    assert.deepEqual(activated(), [])
    for (const [method, network] of [
      ['GET', 'bsc'],
      ['POST', 'ethereum'],
    ] as const) {
      const {body} = await send(method, CONVERT, {...convertRequest(id), network})
      assert.match(body, /^\{"amount":49\.97\d+,"currency":"usdt"\}$/)
      assert.equal(activated()?.at(-1), network)
    }
  })

  it('rejects an invalid convert and activates nothing', async () => {
    const fixture = await openFixture()
    const {sandbox, chargeId, cryptoChargeId} = fixture
    const valid = convertRequest(cryptoChargeId)
    for (const [body, reason] of [
      [undefined, /is empty/],
      ['amount=1', /not JSON/],
      [JSON.stringify(valid).slice(0, -1), /not JSON/],
      [{...valid, wallet: {...valid.wallet, chart: 'cg'}}, /chart/],
      [{...valid, wallet: {...valid.wallet, convert_id: '1'}}, /no such asset: 1/],
      [{...valid, wallet: {...valid.wallet, symbol: 'USDC'}}, /not of one asset/],
      [{...valid, network: 'polygon'}, /USDT is not offered on polygon/],
      [{...valid, local: {amount: '0', currency: 'USD'}}, /local.amount/],
      [{...valid, local: {amount: '1', currency: 'EUR'}}, /local.currency/],
    ] as const) {
      const reply = await fixture.send('GET', CONVERT, body)
      assert.equal(reply.status, 400, String(reason))
      assert.match(json(reply).message, reason)
    }
    assert.deepEqual(sandbox.charge(chargeId)?.cryptoCharges[0]?.activated, [])
  })

  it('rejects a charge without a valid price or VAT or without a JSON content type', async () => {
    const fixture = new Fixture()
    const prices: Record<string, string>[] = [{amount: '0'}, {amount: '-1'}, {amount: 'much'}, {currency: ''}]
    for (const billing of [...prices, {vat: 'abc'}, {vat: ''}, {vat: '-1'}])
      assert.equal((await fixture.createCharge(billing)).status, 400, JSON.stringify(billing))
    const path = '/api/v1/pay/charge'
    assert.match((await fixture.send('POST', path, {})).body, /ref_id.*customer.*billing/)
    const text = await fixture.send('POST', path, chargeRequest(), {'content-type': 'text/plain'})
    assert.match(text.body, /content-type: application\/json/)
  })

  it('does not convert after the crypto charge expired or was cancelled', async () => {
    const expired = await openFixture({expiresIn: 60_000})
    await expired.clock.advance(60_000)
    assert.match((await expired.convert()).body, /expired/)
    const cancelled = await openFixture()
    cancelled.sandbox.cancel(cancelled.chargeId)
    assert.match((await cancelled.convert()).body, /cancelled/)
  })

  it('replies with 404 to unknown ids and paths, and 405 to other methods', async () => {
    const fixture = new Fixture()
    for (const reply of [
      await fixture.getCharge('missing'),
      await fixture.createCryptoCharge('missing'),
      await fixture.getCryptoCharge('missing'),
      await fixture.verifyPayment('missing'),
      await fixture.convert({_id: 'missing'}),
      await fixture.send('GET', '/api/v2/pay/charge'),
    ])
      assert.deepEqual([reply.status, typeof json(reply).message], [404, 'string'])
    const {status, headers} = await fixture.send('GET', '/api/v1/pay/charge')
    assert.deepEqual([status, headers['allow']], [405, 'POST'])
  })

  it('replies with 401 without the right key', async () => {
    for (const key of ['', 'TEST;PK;other']) {
      const reply = await new Fixture().send('GET', '/api/v1/pay/charge/x', undefined, {'api-key': key})
      assert.equal(reply.status, 401)
      assert.doesNotMatch(reply.body, /TEST/)
    }
  })
})

describe('the sandbox', () => {
  it('generates the same ids and addresses from the same random numbers', async () => {
    const [first, second, other] = await Promise.all(
      [0.5, 0.5, 0.25].map(value => openFixture({random: () => value})),
    )
    assert.deepEqual(first?.sandbox.charges, second?.sandbox.charges)
    assert.notEqual(other?.chargeId, first?.chargeId)
  })

  it('accepts only test keys, and does not start in production', t => {
    for (const apiKey of ['LIVE;PK;secret', 'TEST;SK;secret', '', 'secret'])
      assert.throws(
        () => createSandbox({apiKey}),
        (error: Error) => error.message.includes('TEST;PK;') && !error.message.includes('secret'),
      )
    assert.equal(createSandbox({apiKey: 'TEST;PK;mine'}).apiKey, 'TEST;PK;mine')
    const {NODE_ENV = ''} = process.env
    t.after(() => Object.assign(process.env, {NODE_ENV}))
    process.env['NODE_ENV'] = 'production'
    for (const create of [createSandbox, createSandboxCore])
      assert.throws(() => create(), /NODE_ENV is production/)
  })

  it('shortens pending sleeps when its clock is advanced', async () => {
    const {sandbox, clock} = await openFixture()
    const done: string[] = []
    void sandbox.clock.sleep(1_000).then(() => done.push('short'))
    void sandbox.clock.sleep(10_000).then(() => done.push('long'))
    sandbox.moveClock(4_000)
    await clock.advance(5_999)
    assert.deepEqual(done, ['short'])
    await clock.advance(1)
    assert.deepEqual([done, clock.sleepers], [['short', 'long'], 0])
  })
})
