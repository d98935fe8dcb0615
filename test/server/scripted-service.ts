/** A payment service whose every response a test can script: for responses that the sandbox never gives. */
import assert from 'node:assert/strict'
import type {Checkout, Problem, Quote, QuoteRequest} from '../../src/contract/index.js'
import type {Transport, TransportReply, TransportRequest} from '../../src/http/index.js'
import {FakeClock, flushPromises} from '../fake-clock.js'
import {
  createCheckoutWithPages,
  type CheckoutWithPagesOptions,
} from '../../src/node/create-checkout-with-pages.js'
import type {ChargeDocument} from '../../src/server/charges/document.js'
import {memoryStore} from '../../src/stores/memory-store.js'

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

type Responder = (request: TransportRequest) => TransportReply | Promise<TransportReply>

/** The assets of the scripted wallet, with their networks. */
export const usdt = {asset: '825', network: 'bsc'}
export const bnb = {asset: '1839', network: 'bsc'}

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
  /** Assets that the wallet has beside USDT and BNB. */
  moreAssets: object[] = []
  extra: Record<string, unknown> = {}
  calls: Record<string, number> = {}
  requests: TransportRequest[] = []
  /** Replaces the next responses of an operation, in order. */
  next: Record<string, Responder[]> = {}
  minted = 0

  readonly transport: Transport = async request => {
    const operation = operationOf(request)
    this.calls[operation] = (this.calls[operation] ?? 0) + 1
    this.requests.push(request)
    const responder = this.next[operation]?.shift()
    return responder ? responder(request) : ok(this.respond(operation, request))
  }

  /** Sets the charge's status and its payments. */
  report(value: string, ...payments: ScriptedPayment[]): void {
    this.status = {value}
    this.payments = payments
  }

  /** The client tries a read three times. */
  failReads(operation: 'getCharge' | 'getCryptoCharge', code = 503): void {
    this.next[operation] = Array.from({length: 3}, () => status(code))
  }

  /** Holds the next response of an operation back until the test sends it: by default what it was when requested. */
  hold(operation: string): (reply?: TransportReply) => void {
    let send: (reply?: TransportReply) => void = () => assert.fail(`${operation} was not requested`)
    this.next[operation] = [
      request =>
        new Promise(resolve => {
          const current = ok(this.respond(operation, request))
          send = (reply = current) => resolve(reply)
        }),
    ]
    return reply => send(reply)
  }

  respond(operation: string, request: TransportRequest): string {
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
          ...this.moreAssets,
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

export function status(code: number, headers: Record<string, string> = {}): Responder {
  return () => ({status: code, headers, body: '{"message":"upstream text"}'})
}

/** Never responds; rejects when the client gives up. */
export const noResponse: Responder = ({signal}) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

export function operationOf({method, url}: TransportRequest): string {
  if (url.endsWith('/crypto/convert')) return 'convert'
  if (url.includes('/crypto/payment/')) return 'verifyPayment'
  if (url.includes('/crypto/')) return method === 'POST' ? 'createCryptoCharge' : 'getCryptoCharge'
  return method === 'POST' ? 'createCharge' : 'getCharge'
}

export const startOfTest = Date.UTC(2026, 10, 21, 1, 0, 0)

/** A logger, and the lines that it received. */
export function recordingLogger() {
  const logged: [message: string, fields: object | undefined][] = []
  const log = (message: string, fields?: object) => void logged.push([message, fields])
  return {logged, logger: {info: log, warn: log, error: log}}
}

interface ScriptedOptions extends Omit<CheckoutWithPagesOptions, 'clock'> {
  readonly service: ScriptedService
  readonly clock: FakeClock
}

/** A proxy over a scripted service, on a fake clock. Its requests are for charge `c1` unless they name another. */
export function scripted({
  service = new ScriptedService(),
  clock = new FakeClock(startOfTest),
  store = memoryStore(),
  ...options
}: Partial<ScriptedOptions> = {}) {
  const {logged, logger} = recordingLogger()
  const checkout = createCheckoutWithPages({
    apiKey: 'TEST;PK;scripted',
    baseUrl: 'https://service.example',
    transport: service.transport,
    random: () => 0.5,
    reconcileEvery: 0,
    logger,
    clock,
    store,
    ...options,
  })
  const request = requester(checkout.fetch)
  /** Lets a second pass if the call waits for it: reads of a charge that have to be new are so far apart. */
  const inTime = async <Result>(call: Promise<Result>): Promise<Result> => {
    let isEnded = false
    const end = () => (isEnded = true)
    call.then(end, end)
    for (let times = 0; times < 3 && !isEnded; times++) {
      await flushRequests()
      const {untilNext = Infinity} = clock
      if (!isEnded && untilNext <= 1_000) await clock.advance(untilNext)
    }
    return call
  }
  const read = (chargeId = 'c1') => request('GET', `/charges/${chargeId}`)
  /** As it is stored. */
  const document = async (chargeId = 'c1') => {
    const {value = '{}'} = (await store.get(`charge/${chargeId}`)) ?? {}
    return JSON.parse(value) as Partial<ChargeDocument>
  }
  /** Another process changes the stored charge. */
  const changeElsewhere = async (changes: Partial<ChargeDocument>) => {
    const {version = 0} = (await store.get('charge/c1')) ?? {}
    const writes = [`other${version}`]
    const value = JSON.stringify({...(await document()), writes, ...changes})
    await store.put('charge/c1', version + 1, value, null)
  }
  const log = async () => (await document()).log ?? []
  return {
    service,
    clock,
    store,
    logged,
    checkout: {
      ...checkout,
      reconcile: () => inTime(checkout.reconcile()),
      verify: (chargeId: string) => inTime(checkout.verify(chargeId)),
    },
    request,
    inTime,
    open: (chargeId = 'c1') => request('POST', `/charges/${chargeId}`),
    read,
    /** Reads the charge again, when the last poll of the service has expired. */
    async poll() {
      await clock.advance(1_500)
      return (await read()).json
    },
    quote: (pair: Partial<QuoteRequest> = usdt) => inTime(request('POST', '/charges/c1/quote', pair)),
    webhook: (body: unknown = {chargeId: 'c1'}) => inTime(request('POST', '/webhook', body)),
    document,
    changeElsewhere,
    log,
    kinds: async () => (await log()).map(({kind}) => kind),
    /** Another instance over the same store, service and clock. */
    secondInstance: (others: Partial<ScriptedOptions> = {}) => scripted({store, clock, service, ...others}),
  }
}

/** The same, with the charge open. */
export async function opened(options?: Partial<ScriptedOptions>) {
  const fixture = scripted(options)
  await fixture.open()
  return fixture
}

/** Lets requests go on as far as they can without the clock: reading a body takes a few turns of the event loop. */
export async function flushRequests(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await flushPromises()
}

/** A `Checkout` or a `Problem`, unchecked: a wrong response fails the assertion of its test. */
type ResponseJson = Omit<Checkout, 'quote'> & {quote: Quote} & Pick<
    Problem,
    'code' | 'retryAfter' | 'requestId' | 'title'
  >

/** Sends requests to the checkout API as a browser does, and parses the responses. */
export function requester(fetch: (request: Request) => Promise<Response>, origin = 'https://shop.example') {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(
      new Request(`${origin}/crypto-checkout${path}`, {
        method,
        headers: {...(method === 'POST' ? {'content-type': 'application/json'} : {}), ...headers},
        ...(method === 'POST' ? {body: typeof body === 'string' ? body : JSON.stringify(body ?? {})} : {}),
      }),
    )
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const json: ResponseJson = JSON.parse(isJson && text !== '' ? text : 'null')
    return {status: response.status, headers: response.headers, text, json}
  }
}
