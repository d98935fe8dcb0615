/** A sandbox on a fake clock, with the replies of its six operations as they are sent. */
import type {TransportReply} from '../../src/http/index.js'
import {Sandbox, type SandboxOptions} from '../../src/sandbox/index.js'
import type {Operation} from '../../src/sandbox/operations.js'
import {FakeClock} from '../fake-clock.js'
import {order} from '../server/order.js'

export const usdtOnBsc = {asset: '825', network: 'bsc'}
export const usdtOnEthereum = {asset: '825', network: 'ethereum'}

type Billing = Readonly<Record<string, string>>
type Reply = Promise<TransportReply>
type FixtureOptions = SandboxOptions & {readonly clock?: FakeClock}

export const json = ({body}: TransportReply) => JSON.parse(body)

export function chargeRequest(billing: Billing = {}) {
  return {...order(), billing: {...order('49.99').billing, vat: '1.5', ...billing}, metadata: {order: 1}}
}

/** USDT on bsc for the whole price. */
export function convertRequest(id: string) {
  const local = {amount: '49.99', currency: 'USD'}
  return {wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'}, local, _id: id, network: 'bsc'}
}

/** Without an argument, an operation is called for the charge of the fixture and its last payment. */
export class Fixture implements Record<Operation, () => Reply> {
  readonly clock: FakeClock
  readonly sandbox: Sandbox
  chargeId = ''
  cryptoChargeId = ''

  constructor({clock = new FakeClock(), ...options}: FixtureOptions = {}) {
    this.clock = clock
    this.sandbox = new Sandbox({clock, ...options})
  }

  /** Text is sent as it is. */
  send(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}): Reply {
    return this.sandbox.transport({
      method,
      url: `http://sandbox.test${path}`,
      headers: {'api-key': this.sandbox.apiKey, 'content-type': 'application/json', ...headers},
      ...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      signal: new AbortController().signal,
      maxBytes: 1_000_000,
    })
  }

  createCharge(billing?: Billing): Reply {
    return this.send('POST', '/api/v1/pay/charge', chargeRequest(billing))
  }
  getCharge(id = this.chargeId): Reply {
    return this.send('GET', `/api/v1/pay/charge/${id}`)
  }
  createCryptoCharge(id = this.chargeId): Reply {
    return this.send('POST', `/api/v1/pay/crypto/${id}`)
  }
  convert(changes: object = {}, method: 'GET' | 'POST' = 'GET'): Reply {
    const body = {...convertRequest(this.cryptoChargeId), ...changes}
    return this.send(method, '/api/v1/pay/crypto/convert', body)
  }
  getCryptoCharge(id = this.cryptoChargeId): Reply {
    return this.send('GET', `/api/v1/pay/crypto/${id}`)
  }
  verifyPayment(id = this.sandbox.charge(this.chargeId)?.payments.at(-1)?._id ?? ''): Reply {
    return this.send('POST', `/api/v1/pay/crypto/payment/${id}`)
  }
}

/** With a charge and its crypto charge. */
export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = new Fixture(options)
  fixture.chargeId = json(await fixture.createCharge())._id
  fixture.cryptoChargeId = json(await fixture.createCryptoCharge())._id
  return fixture
}

/** The same with USDT on bsc activated for the whole price. */
export async function activatedFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await openFixture(options)
  await fixture.convert()
  return fixture
}
