/**
 * A service whose every answer a test can write by hand: for combinations that the sandbox, which behaves, never gives.
 */
import type {Checkout, Problem, Quote} from '../../src/contract/index.js'
import type {Transport, TransportReply, TransportRequest} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import {createCheckoutCore, type CheckoutCoreOptions} from '../../src/server/create-checkout.js'
import {memoryStore} from '../../src/server/stores/memory-store.js'

export const usdtOnBsc = '0x55d398326f99059fF775485246999027B3197955'
export const depositAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const otherAddress = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

export interface ScriptedPayment {
  transaction_id: string
  network?: string
  status?: string
  local?: number
  localCurrency?: string
  crypto?: number
  currency?: string
}

type Answer = (request: TransportRequest) => TransportReply | Promise<TransportReply>

export class ScriptedService {
  status: {value: string; context?: unknown; total_paid?: number} = {
    value: 'unpaid',
    context: {status: 'notpaid', value: 0},
  }
  payments: ScriptedPayment[] = []
  cancelled = false
  expiresAt: string | undefined = 'Sat Nov 21 2026 02:00:00 GMT+0000 (Coordinated Universal Time)'
  billing: Record<string, unknown> = {
    currency: 'USD',
    amount: '100',
    pricing_type: 'fixed_price',
    description: 'Order 7',
  }
  localPrice = {amount: '100', currency: 'USD'}
  /** JSON text of the convert amount. */
  convertAmount = '100.25'
  convertCurrency = 'usdt'
  address = depositAddress
  extra: Record<string, unknown> = {}
  calls: Record<string, number> = {}
  requests: TransportRequest[] = []
  /** Replaces the next answers of an operation, in order. */
  next: Record<string, Answer[]> = {}
  minted = 0

  readonly transport: Transport = async request => {
    const operation = operationOf(request)
    this.calls[operation] = (this.calls[operation] ?? 0) + 1
    this.requests.push(request)
    const answer = this.next[operation]?.shift()
    if (answer) return answer(request)
    return ok(this.answer(operation, request))
  }

  answer(operation: string, request: TransportRequest): string {
    const chargeId = request.url.split('/').at(-1) ?? ''
    switch (operation) {
      case 'getCharge':
        return JSON.stringify(this.charge(chargeId))
      case 'createCryptoCharge':
        this.minted += 1
        return JSON.stringify(this.cryptoCharge(`k${this.minted}-${chargeId}`, chargeId))
      case 'getCryptoCharge':
        return JSON.stringify(this.cryptoCharge(chargeId, chargeId.replace(/^k\d+-/, '')))
      default:
        return `{"amount":${this.convertAmount},"currency":${JSON.stringify(this.convertCurrency)}}`
    }
  }

  charge(id: string): object {
    return {
      ...this.extra,
      _id: id,
      chargeId: id,
      billing: {...this.extra, ...this.billing},
      status: {...this.extra, ...this.status},
      createdAt: '2026-11-21T01:00:00.000Z',
      payments: this.payments.map(payment => this.payment(payment)),
    }
  }

  cryptoCharge(id: string, chargeId: string): object {
    const account = {...this.extra, address: this.address, key: ''}
    return {
      ...this.extra,
      _id: id,
      charge_id: chargeId,
      is_cancelled: this.cancelled,
      created_at: 'Sat Nov 21 2026 01:00:00 GMT+0000 (Coordinated Universal Time)',
      expires_at: this.expiresAt,
      wallet: {
        ...this.extra,
        local_price: this.localPrice,
        payments: this.payments.map(payment => this.payment(payment)),
        addresses: [
          {
            ...this.extra,
            name: 'Tether USD',
            symbol: 'USDT',
            currency: 'usdt',
            convert_id: '825',
            chart: 'cmc',
            isToken: true,
            isMultiChain: true,
            isDisabled: false,
            isFeaturd: true,
            logo: 'https://logos.example/usdt.png',
            networks: [{...this.extra, name: 'bsc', contract_address: usdtOnBsc, account, isDisabled: false}],
          },
          {
            name: 'BNB',
            symbol: 'BNB',
            currency: 'BNB',
            convert_id: '1839',
            chart: 'cmc',
            network: 'bsc',
            account: {address: otherAddress.toLowerCase()},
            isToken: false,
            isMultiChain: false,
            isDisabled: false,
            logo: '',
          },
        ],
      },
    }
  }

  payment({
    transaction_id,
    network = 'bsc',
    status = 'CONFIRMED',
    local = 100,
    localCurrency = 'USD',
    crypto = 100.25,
    currency = 'USDT',
  }: ScriptedPayment): object {
    return {
      ...this.extra,
      transaction_id,
      network,
      status,
      timestamp: '2026-11-21T01:10:00.000Z',
      value: {
        local: {...this.extra, amount: local, currency: localCurrency},
        crypto: {...this.extra, amount: crypto, currency},
      },
      block: {...this.extra, hash: '0x1', height: null},
    }
  }
}

export function ok(body: string): TransportReply {
  return {status: 200, headers: {}, body}
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return () => ({status: code, headers, body: '{"message":"upstream text"}'})
}

export function operationOf({method, url}: TransportRequest): string {
  if (url.endsWith('/crypto/convert')) return 'convert'
  if (url.includes('/crypto/payment/')) return 'verifyPayment'
  if (url.includes('/crypto/')) return method === 'POST' ? 'createCryptoCharge' : 'getCryptoCharge'
  return method === 'POST' ? 'createCharge' : 'getCharge'
}

export const startOfTest = Date.UTC(2026, 10, 21, 1, 0, 0)

/** A proxy over a scripted service, on a held clock. */
export function scripted(options: Partial<CheckoutCoreOptions> = {}) {
  const service = new ScriptedService()
  const clock = new FakeClock(startOfTest)
  const checkout = createCheckoutCore({
    apiKey: 'TEST;PK;scripted',
    baseUrl: 'https://service.example',
    store: memoryStore(),
    transport: service.transport,
    clock,
    random: () => 0.5,
    ...options,
  })
  return {service, clock, checkout, ask: requester(checkout.fetch)}
}

/** A `Checkout` or a `Problem`, whichever the test expects; unchecked, so that a wrong answer fails the test itself. */
type AnswerJson = Omit<Checkout, 'quote'> & {quote: Quote} & Pick<
    Problem,
    'code' | 'retryAfter' | 'requestId' | 'title'
  >

/** Asks the checkout API as a page would, and gives status and JSON. */
export function requester(fetch: (request: Request) => Promise<Response>) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(
      new Request(`https://shop.example/crypto-checkout${path}`, {
        method,
        headers: {...(method === 'POST' ? {'content-type': 'application/json'} : {}), ...headers},
        ...(method === 'POST' ? {body: typeof body === 'string' ? body : JSON.stringify(body ?? {})} : {}),
      }),
    )
    const text = await reply.text()
    const json: AnswerJson = JSON.parse(text === '' ? 'null' : text)
    return {status: reply.status, headers: reply.headers, text, json}
  }
}
