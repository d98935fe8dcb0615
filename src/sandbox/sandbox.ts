/**
 * The hosted service, pretended: its six endpoints, its rules about money, and a hand on everything that it leaves to
 * the world (customers who pay, clocks, networks that fail). Runs in Node and in a browser page alike; state is in
 * memory and gone with the object. Time, chance and the way of webhooks come from outside.
 */
import {systemClock, type Clock} from '../contract/index.js'
import {toFetch, toTransport, type HttpHandler, type Transport} from '../http/index.js'
import {catalogue, type CatalogueAsset} from './catalogue.js'
import {AdvanceableClock} from './clock.js'
import {createControl} from './control.js'
import {Faults, type Fault} from './faults.js'
import {InvalidInputError} from './invalid-input-error.js'
import {Ledger, type LostPayment, type PayRequest, type StoredCharge, type StoredPayment} from './ledger.js'
import {createIdGenerator} from './generators.js'
import type {Operation} from './operations.js'
import {createService} from './service.js'
import {Webhooks, deliverByFetch, type Deliver} from './webhooks.js'
import {readCharge, readCryptoCharge, verification, webhook} from './responses.js'

export interface SandboxOptions {
  /** Default `TEST;PK;sandbox`. Nothing but `TEST;PK;…` is taken, so that a real key cannot end up here. */
  apiKey?: string
  clock?: Clock
  /** Where webhooks go; `webhookUrl` may be set later as well. */
  webhookUrl?: string
  /** How webhooks travel; default fetch. */
  deliver?: Deliver
  /** Milliseconds until a crypto charge expires; default one hour. */
  expiresIn?: number
  /** The sandbox's own address, for `hosted_url`. */
  baseUrl?: string
  /** From 0 up to 1; the same randomness gives the same ids and addresses. */
  random?: () => number
  /** What is offered; default the 17 assets of the specification. */
  catalogue?: readonly CatalogueAsset[]
}

export interface PayResult {
  /** False when the money is lost. */
  recorded: boolean
  transactionId: string
  /** What the verify operation knows it by; only when it was recorded. */
  paymentId?: string
}

export class SandboxCore {
  readonly apiKey: string
  readonly clock: Clock
  /** The service below `/api/`, the control surface below `/sandbox/`. */
  readonly handler: HttpHandler
  /** The same, called in this process as if over the network. */
  readonly transport: Transport
  readonly fetch: (request: Request) => Promise<Response>
  /** How often each operation was called, whatever came of it. */
  readonly calls: Readonly<Record<Operation, number>>
  baseUrl: string
  readonly #clock: AdvanceableClock
  readonly #ledger: Ledger
  readonly #faults = new Faults()
  readonly #webhooks: Webhooks

  constructor(options: SandboxOptions = {}) {
    refuseProduction()
    this.apiKey = testKey(options.apiKey ?? 'TEST;PK;sandbox')
    this.baseUrl = options.baseUrl ?? 'http://127.0.0.1:4010'
    this.#clock = new AdvanceableClock(options.clock ?? systemClock)
    this.clock = this.#clock
    const ids = createIdGenerator(options.random ?? Math.random)
    this.#ledger = new Ledger({
      clock: this.#clock,
      mint: ids,
      catalogue: options.catalogue ?? catalogue,
      expiresIn: options.expiresIn ?? 3_600_000,
    })
    this.#webhooks = new Webhooks(options.deliver ?? deliverByFetch, this.#clock, options.webhookUrl)
    const calls = {
      createCharge: 0,
      getCharge: 0,
      createCryptoCharge: 0,
      convert: 0,
      getCryptoCharge: 0,
      verifyPayment: 0,
    }
    this.calls = calls
    const service = createService({
      apiKey: this.apiKey,
      ledger: this.#ledger,
      faults: this.#faults,
      clock: this.#clock,
      calls,
      baseUrl: () => this.baseUrl,
      newAddress: ids.address,
    })
    const control = createControl(this)
    this.handler = async request => (await service(request)) ?? (await control(request))
    this.transport = toTransport(this.handler)
    this.fetch = toFetch(this.handler)
  }

  get webhookUrl(): string | undefined {
    return this.#webhooks.url
  }

  set webhookUrl(url: string | undefined) {
    this.#webhooks.url = url
  }

  /**
   * A customer's payment, to a charge or a crypto charge. One to an address that was not activated, or on the wrong
   * network, is lost, as it would be with the real service. Throws `InvalidInput` when there is nothing to pay to.
   */
  pay(id: string, request: PayRequest): PayResult {
    const {transactionId, payment} = this.#ledger.pay(id, request)
    if (!payment) return {recorded: false, transactionId}
    this.#announce(payment)
    return {recorded: true, transactionId, paymentId: payment.id}
  }

  /** For a payment made with `confirmed: false`. A second time changes nothing. */
  confirm(transactionId: string): void {
    const payment = this.#ledger.confirm(transactionId)
    if (payment) this.#announce(payment)
  }

  expire(id: string): void {
    this.#ledger.expire(id)
  }

  cancel(id: string): void {
    this.#ledger.cancel(id)
  }

  /** Forward only. */
  moveClock(milliseconds: number): void {
    if (!(milliseconds >= 0 && Number.isFinite(milliseconds)))
      throw new InvalidInputError('the clock moves forward only')
    this.#clock.move(milliseconds)
  }

  /** From now on, for `times` calls or until it is cleared, in the place of the one before; null clears it. */
  fault(operation: Operation | '*', fault: Fault | null): void {
    this.#faults.set(operation, fault)
  }

  clearFaults(): void {
    this.#faults.clear()
  }

  /** For the next convert; rates already given stay. */
  setPrice(asset: string, usd: number): void {
    this.#ledger.setPrice(asset, usd)
  }

  /** An asset, or an asset on one network. */
  setDisabled(asset: string, network?: string, disabled = true): void {
    this.#ledger.setDisabled(asset, network, disabled)
  }

  /** Money that went to where nobody was watching. */
  get lost(): readonly LostPayment[] {
    return this.#ledger.lost
  }

  get charges() {
    return this.#ledger.charges.map(charge => this.#view(charge))
  }

  /** By its own id or by that of one of its crypto charges. */
  charge(id: string) {
    const charge = this.#ledger.charge(id) ?? this.#ledger.cryptoCharge(id)?.charge
    return charge && this.#view(charge)
  }

  /** Resolves when no webhook is on its way. One that waits for its next try is not. */
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
        /** Written out only for who looks: it lists all assets with their addresses. */
        get cryptoCharge() {
          return readCryptoCharge(ledger, cryptoCharge)
        },
        activated: [...cryptoCharge.rates].map(([pair, rate]) => {
          const [asset = '', network = ''] = pair.split(' ')
          return {asset, network, address: cryptoCharge.addresses.get(pair) ?? '', ...rate}
        }),
      })),
      payments: charge.payments.map(payment => verification(ledger, payment)),
      lost: ledger.lost.filter(({chargeId}) => chargeId === charge.id),
    }
  }

  #announce(payment: StoredPayment): void {
    this.#webhooks.send(payment.dispatch, JSON.stringify(webhook(this.#ledger, payment)))
  }
}

/** @throws when this is production, or the key is not a test key */
export function createSandboxCore(options: SandboxOptions = {}): SandboxCore {
  return new SandboxCore(options)
}

function testKey(apiKey: string): string {
  if (!apiKey.startsWith('TEST;PK;'))
    throw new Error("the sandbox takes only keys that begin with 'TEST;PK;'; keep a real key away from it")
  return apiKey
}

function refuseProduction(): void {
  const {process}: {process?: {env?: Readonly<Record<string, string | undefined>>}} = globalThis
  if (process?.env?.['NODE_ENV'] === 'production')
    throw new Error('the sandbox does not run when NODE_ENV is production: its payments are not real')
}
