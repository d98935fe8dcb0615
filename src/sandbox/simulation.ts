/** The simulated service: its six endpoints, its payment rules, and methods to simulate payments, time and failures. */
import {systemClock, type Clock, type StatusValue} from '../contract/index.js'
import type {HttpHandler} from '../http/index.js'
import {catalogue, type CatalogueAsset} from './catalogue.js'
import {AdvanceableClock} from './clock.js'
import {Faults, type Fault} from './faults.js'
import {InvalidInputError} from './invalid-input-error.js'
import {Ledger} from './ledger.js'
import {createIdGenerator} from './generators.js'
import type {Operation} from './operations.js'
import type {ElsewhereRequest, PayRequest, TransactionRequest} from './requests.js'
import {
  newState,
  type LostPayment,
  type StateStorage,
  type StoredCharge,
  type StoredPayment,
} from './state.js'
import {tokensOf, type Token} from './transaction.js'
import {webhookFormats, webhookMessage, type WebhookFormat} from './webhook-formats.js'
import {createService} from './service.js'
import {Webhooks, deliverByFetch, type Deliver} from './webhooks.js'
import {readCharge, readCryptoCharge, verification, webhook} from './responses.js'

export interface SandboxOptions {
  /** Default: `TEST;PK;sandbox`. Only keys that start with `TEST;PK;` are accepted, to keep real keys out. */
  apiKey?: string
  clock?: Clock
  /** The URL for webhooks; can be changed later. */
  webhookUrl?: string
  /** Sends webhooks. Default: `fetch`. */
  deliver?: Deliver
  /** Milliseconds until a crypto charge expires. Default: one hour. */
  expiresIn?: number
  /** The sandbox's URL, for `hosted_url`. */
  baseUrl?: string
  /** Like `Math.random`. The same sequence gives the same ids and addresses. */
  random?: () => number
  /** Default: the 17 assets of the specification. */
  catalogue?: readonly CatalogueAsset[]
  /** Keeps what happened between runs. Default: all is in memory. */
  storage?: StateStorage
}

export interface PayResult {
  /** False if the money is lost. */
  recorded: boolean
  transactionId: string
  /** The id for the verify operation, if the payment was recorded. */
  paymentId?: string
}

export class Simulation {
  readonly apiKey: string
  readonly clock: Clock
  /** The number of calls of each operation, including failed ones. */
  readonly calls: Readonly<Record<Operation, number>> = {
    createCharge: 0,
    getCharge: 0,
    createCryptoCharge: 0,
    convert: 0,
    getCryptoCharge: 0,
    verifyPayment: 0,
  }
  baseUrl: string
  /** The URL for webhooks. */
  webhookUrl: string | undefined
  /** Serves the service below `/api/`. */
  protected readonly service: HttpHandler
  readonly #clock: AdvanceableClock
  readonly #changed: () => void
  readonly #ledger: Ledger
  readonly #faults = new Faults()
  readonly #webhooks: Webhooks
  #webhookFormat: WebhookFormat = 'record'

  constructor(options: SandboxOptions = {}) {
    refuseProduction()
    this.apiKey = testKey(options.apiKey ?? 'TEST;PK;sandbox')
    this.baseUrl = options.baseUrl ?? 'http://127.0.0.1:4010'
    const {storage, random = Math.random} = options
    const state = storage?.state ?? newState(random)
    this.#changed = () => storage?.save(state)
    this.#clock = new AdvanceableClock(options.clock ?? systemClock, state)
    this.clock = this.#clock
    const ids = createIdGenerator(state.seed)
    this.#ledger = new Ledger({
      clock: this.#clock,
      ids,
      catalogue: options.catalogue ?? catalogue,
      expiresInMs: options.expiresIn ?? 3_600_000,
      state,
      changed: this.#changed,
    })
    this.webhookUrl = options.webhookUrl
    this.#webhooks = new Webhooks(options.deliver ?? deliverByFetch, this.#clock, this.#changed)
    for (const payment of this.#ledger.payments) this.#sendWebhook(payment, 'resume')
    this.service = createService({
      apiKey: this.apiKey,
      ledger: this.#ledger,
      faults: this.#faults,
      clock: this.#clock,
      calls: this.calls,
      baseUrl: () => this.baseUrl,
      newAddress: ids.address,
    })
  }

  /** The format of webhooks from now on. The service documents none. Default: `record`. */
  get webhookFormat(): WebhookFormat {
    return this.#webhookFormat
  }

  set webhookFormat(format: WebhookFormat) {
    if (!webhookFormats.includes(format))
      throw new InvalidInputError(`format: must be one of ${webhookFormats.join(', ')}`)
    this.#webhookFormat = format
  }

  /**
   * Simulates a customer's payment to a charge or a crypto charge. A payment to an address that was not activated, or
   * on the wrong network, is lost, as with the real service. Throws `InvalidInputError` if there is no address to pay to.
   */
  pay(id: string, request: PayRequest): PayResult {
    return this.#resultOf(this.#ledger.pay(id, request))
  }

  /**
   * Simulates the transaction of a browser wallet, on the network that it is on. Only a transfer of the coin or token of an
   * activated pair, on its network and to its address, is recorded; any other is lost, as with the real service. Throws
   * `InvalidInputError` if it transfers nothing to an address of the sandbox.
   */
  transact(request: TransactionRequest): PayResult {
    return this.#resultOf(this.#ledger.transact(request))
  }

  /** The coins and tokens that a browser wallet can send. */
  get tokens(): readonly Token[] {
    return tokensOf(this.#ledger.catalogue)
  }

  /**
   * Simulates a payment on the hosted page: the payment charge counts it, and no crypto charge that was created through
   * the API lists it.
   */
  payElsewhere(id: string, request: ElsewhereRequest = {}): PayResult {
    return this.#resultOf(this.#ledger.payElsewhere(id, request))
  }

  /** An unconfirmed payment fails: its status is `FAILED`. The service sends no webhook. */
  failPayment(transactionId: string): void {
    this.#ledger.end(transactionId, 'failed')
  }

  /** The service no longer lists an unconfirmed payment, and sends no webhook. */
  dropPayment(transactionId: string): void {
    this.#ledger.end(transactionId, 'dropped')
  }

  /** Sets `status.value` of a payment charge, whatever was paid; `null` derives it from the payments again. */
  setStatus(id: string, status: StatusValue | null): void {
    this.#ledger.setStatus(id, status)
  }

  /** The service replies with 404 to all that concerns this charge. */
  forget(id: string, forgotten = true): void {
    this.#ledger.setForgotten(id, forgotten)
  }

  /** Confirms a payment made with `confirmed: false`, failed and dropped ones too. A second call changes nothing. */
  confirm(transactionId: string): void {
    const payment = this.#ledger.confirm(transactionId)
    if (payment) this.#sendWebhook(payment)
  }

  expire(id: string): void {
    this.#ledger.expire(id)
  }

  cancel(id: string): void {
    this.#ledger.cancel(id)
  }

  moveClock(milliseconds: number): void {
    if (!(milliseconds >= 0 && Number.isFinite(milliseconds)))
      throw new InvalidInputError('the clock moves forward only')
    this.#clock.advance(milliseconds)
    this.#changed()
  }

  /** Installs a fault for `times` calls or until it is cleared. Replaces an earlier one; `null` clears it. */
  fault(operation: Operation | '*', fault: Fault | null): void {
    this.#faults.set(operation, fault)
  }

  clearFaults(): void {
    this.#faults.clear()
  }

  /** Applies to later converts. Earlier rates stay. */
  setPrice(asset: string, usd: number): void {
    this.#ledger.setPrice(asset, usd)
  }

  /** Disables an asset, or an asset on one network. */
  setDisabled(asset: string, network?: string, disabled = true): void {
    this.#ledger.setDisabled(asset, network, disabled)
  }

  /** Payments that the service did not record. */
  get lost(): readonly LostPayment[] {
    return this.#ledger.lost
  }

  get charges() {
    return this.#ledger.charges.map(charge => this.#view(charge))
  }

  /** Finds a charge by its id or the id of one of its crypto charges. */
  charge(id: string) {
    const charge = this.#ledger.find(id)
    return charge && this.#view(charge)
  }

  /** Resolves when no webhook request is in flight. A webhook that waits for its next retry does not count. */
  idle(): Promise<void> {
    return this.#webhooks.idle()
  }

  #view(charge: StoredCharge) {
    const ledger = this.#ledger
    return {
      id: charge.id,
      charge: readCharge(ledger, charge),
      due: ledger.due(charge),
      cryptoCharges: charge.cryptoCharges.map(cryptoCharge => ({
        id: cryptoCharge.id,
        /** A getter, because it lists all assets with their addresses. */
        get cryptoCharge() {
          return readCryptoCharge(ledger, cryptoCharge)
        },
        activated: Object.entries(cryptoCharge.rates).map(([pair, rate]) => {
          const [asset = '', network = ''] = pair.split(' ')
          return {asset, network, address: cryptoCharge.addresses[pair] ?? '', ...rate}
        }),
      })),
      payments: charge.payments.map(payment => verification(ledger, payment)),
      lost: ledger.lost.filter(({chargeId}) => chargeId === charge.id),
    }
  }

  #resultOf(payment: StoredPayment | LostPayment): PayResult {
    const {transactionId} = payment
    if ('reason' in payment) return {recorded: false, transactionId}
    this.#sendWebhook(payment)
    return {recorded: true, transactionId, paymentId: payment.id}
  }

  #sendWebhook(payment: StoredPayment, how: 'send' | 'resume' = 'send'): void {
    if (this.webhookUrl === undefined) return
    const message = webhookMessage(this.#webhookFormat, webhook(this.#ledger, payment))
    this.#webhooks[how](payment, this.webhookUrl, message)
  }
}

function testKey(apiKey: string): string {
  if (!apiKey.startsWith('TEST;PK;'))
    throw new Error("the sandbox accepts only keys that start with 'TEST;PK;'; do not give it a real key")
  return apiKey
}

function refuseProduction(): void {
  const {process}: {process?: {env?: Readonly<Record<string, string | undefined>>}} = globalThis
  if (process?.env?.['NODE_ENV'] === 'production')
    throw new Error('the sandbox does not run when NODE_ENV is production: its payments are not real')
}
