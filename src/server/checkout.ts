/**
 * The proxy: it holds the merchant's api-key, is the only one to talk to the hosted service, and answers the checkout
 * API. This core runs on Node and in a browser page alike; `index.ts` adds what Node gives (files, network, limits).
 */
import {
  parseServiceDate,
  systemClock,
  type Charge,
  type Checkout,
  type Clock,
  type QuoteRequest,
} from '../contract/index.js'
import {toFetch, type HttpHandler, type Transport} from '../http/index.js'
import {checkoutText} from './checkout-text.js'
import {compose, isOpened, type OpenedState} from './compose.js'
import {CheckoutError, ConfigurationError, ServiceError} from './errors.js'
import {isChargeId} from './ids.js'
import type {Offer} from './journal/entries.js'
import {journalEntries, type JournalEntry} from './journal/journal-entries.js'
import {Journals} from './journal/journals.js'
import type {ChargeState} from './journal/state.js'
import {localPrice} from './local-money.js'
import {errorKind, silentLogger, type Logger} from './log.js'
import {mint} from './mint.js'
import {
  checkedApiKey,
  checkedBasePath,
  checkedOrigins,
  checkedTokenSecret,
  safeRedirectUrl,
} from './options.js'
import {quote} from './quote.js'
import {unlimited, type RateLimits} from './rate-limits.js'
import {Reader, type Look} from './reader.js'
import {isLongOver, shuffled} from './reconcile.js'
import {createRoutes} from './routes.js'
import {createServiceClient, type ServiceClient} from './service-client.js'
import type {Store} from './stores/store.js'
import {hasUntold, tell, type Handlers, type Told} from './tell.js'
import {signToken} from './token.js'
import {idsIn} from './webhook.js'

export interface CheckoutCoreOptions extends Handlers {
  /** Issued by the payment service. It never leaves the server. */
  apiKey: string
  /** The payment service's address: `https`, or `http` on loopback. */
  baseUrl: string
  store: Store
  transport: Transport
  /** Where the handler is mounted. Default `/crypto-checkout`. */
  basePath?: string
  /** Other origins whose pages may use this proxy, such as `https://shop.example`. Default: none. */
  allowedOrigins?: readonly string[]
  /** At least 32 characters; turns client tokens on. */
  tokenSecret?: string | undefined
  convertMethod?: 'GET' | 'POST'
  /** Milliseconds until a quote may be renewed. Default 15 minutes. */
  quoteTtl?: number
  /** Milliseconds that a call to the service may take, retries included. Default 10,000. */
  timeout?: number
  /** Milliseconds between walks over the open charges; 0, the default, means none. */
  reconcileEvery?: number
  logger?: Logger
  clock?: Clock
  /** From 0 up to 1. */
  random?: () => number
  limits?: RateLimits
  /** How many proxies of one's own stand in front and append to `X-Forwarded-For`. Default false: none. */
  trustProxy?: number | boolean
}

export interface Verified {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface CheckoutCore {
  readonly handler: HttpHandler
  readonly basePath: string
  /** `(Request) => Promise<Response>`; 404 outside `basePath`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The service's operations, typed; amounts are decimal text. */
  readonly service: ServiceClient
  /**
   * Reads the service now. Ship goods on `paid`, or on `onPaid`; never on a browser's event (invariant 8).
   * Rejects with `CheckoutError`, also when the service cannot be read: "not known" is not "not paid".
   */
  verify(chargeId: string): Promise<Verified>
  /** A token that lets a page use this charge. `expiresIn` in seconds, default one day. Needs `tokenSecret`. */
  createToken(chargeId: string, options?: {expiresIn?: number}): string
  /** Reads every open charge and delivers what no webhook reported. */
  reconcile(): Promise<{read: number; delivered: number}>
  /** What was shown, seen and told, and when: for support and disputes. */
  journal(chargeId: string): Promise<JournalEntry[]>
  /** Ends event streams and the reconciling. */
  close(): Promise<void>
}

/** Milliseconds that a page's read waits for the service. */
const PAGE_WAITS = 7_000

export function createCheckoutCore(options: CheckoutCoreOptions): CheckoutCore {
  const {
    store,
    transport,
    timeout = 10_000,
    quoteTtl = 900_000,
    reconcileEvery = 0,
    logger = silentLogger,
    clock = systemClock,
    random = Math.random,
    limits = unlimited,
  } = options
  const apiKey = checkedApiKey(options.apiKey)
  const basePath = checkedBasePath(options.basePath ?? '/crypto-checkout')
  const allowedOrigins = checkedOrigins(options.allowedOrigins ?? [])
  const tokenSecret = checkedTokenSecret(options.tokenSecret)
  const test = !apiKey.startsWith('LIVE;')

  const service = createServiceClient({
    apiKey,
    baseUrl: options.baseUrl,
    transport,
    convertMethod: options.convertMethod ?? 'GET',
    timeout,
    clock,
    random,
    logger,
  })
  const journals = new Journals(store, clock)
  const reader = new Reader(service, journals, logger, tellInBackground)
  const opening = new Map<string, Promise<string>>()
  const quoteQueue = new Map<string, Promise<unknown>>()
  const tellQueue = new Map<string, Promise<unknown>>()
  const closing = new AbortController()

  const handler = createRoutes({
    open,
    read,
    quote: requote,
    webhook,
    journals,
    allowedOrigins,
    tokenSecret,
    limits,
    trustedHops: Number(options.trustProxy ?? 0),
    logger,
    closing: closing.signal,
  })
  const reconciling = reconcileEvery > 0 ? keepReconciling() : Promise.resolve()

  return {
    handler,
    basePath,
    fetch: toFetch(handler, {basePath}),
    service,
    verify,
    createToken(chargeId, {expiresIn = 86_400} = {}) {
      if (tokenSecret === undefined) throw new ConfigurationError('client tokens need the option tokenSecret')
      return signToken(tokenSecret, checkedId(chargeId), Math.ceil(clock.now() / 1000) + expiresIn)
    },
    reconcile,
    journal: async chargeId => journalEntries(checkedId(chargeId), journals),
    async close() {
      closing.abort()
      await reconciling
    },
  }

  /** Reads the charge, and mints or resumes its crypto charge. Several at once share one. Gives the `Checkout` as JSON. */
  function open(chargeId: string): Promise<string> {
    const running = opening.get(chargeId)
    if (running) return running
    const started = openOnce(chargeId).finally(() => opening.delete(chargeId))
    opening.set(chargeId, started)
    return started
  }

  async function openOnce(chargeId: string): Promise<string> {
    const state = await journals.load(chargeId)
    if (!state.minted && !isSettled(state)) {
      const charge = await readCharge(chargeId)
      if (charge.status.value === 'underpaid') throw new CheckoutError('cannot_resume')
      await noteOpened(chargeId, charge)
      if (charge.status.value === 'unpaid') await mint(chargeId, charge, {service, journals, reader, logger})
      else await reader.readNow(chargeId)
    }
    return read(chargeId)
  }

  /** The charge as it is, as JSON; when the service cannot be read, as it was last known. */
  async function read(chargeId: string): Promise<string> {
    const known = readable(await journals.load(chargeId))
    const recent = reader.recent(chargeId)
    if (recent) return present(chargeId, known, recent.offers)
    try {
      const {offers} = await inTime(reader.read(chargeId))
      return present(chargeId, readable(await journals.load(chargeId)), offers)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      logger.warn('reading failed', {chargeId, code: error.code, status: error.upstreamStatus})
      const state = readable(await journals.load(chargeId))
      return present(chargeId, state, reader.lastOffers(chargeId), true)
    }
  }

  /** A page gives up after ten seconds: before that it is to hear what is known. The look itself goes on. */
  async function inTime(look: Promise<Look>): Promise<Look> {
    const over = new AbortController()
    const late = clock.sleep(PAGE_WAITS, over.signal).then(() => undefined)
    try {
      const shown = await Promise.race([look, late])
      if (shown) return shown
      throw new ServiceError('getCryptoCharge', 'upstream_timeout', {outcome: 'none'})
    } finally {
      over.abort()
    }
  }

  function present(
    chargeId: string,
    state: OpenedState,
    offers: readonly Offer[] | undefined,
    stale = false,
  ): string {
    return checkoutText(chargeId, state, {now: clock.now(), stale, test, offers})
  }

  /** One after the other within a charge, so that the last asked is the one quoted. */
  function requote(chargeId: string, wanted: QuoteRequest): Promise<string> {
    return queued(quoteQueue, chargeId, async () => {
      await quote(chargeId, wanted, {service, journals, reader, logger, quoteTtl, timeout})
      return read(chargeId)
    })
  }

  async function verify(chargeId: string): Promise<Verified> {
    const {checkout, charge} = await readNow(checkedId(chargeId))
    return {paid: checkout.status === 'paid' || checkout.status === 'overpaid', checkout, charge}
  }

  async function readNow(chargeId: string): Promise<{checkout: Checkout; charge: Charge}> {
    if (!isOpened(await journals.load(chargeId))) await noteOpened(chargeId, await readCharge(chargeId))
    const {charge, offers} = await reader.readNow(chargeId)
    if (!charge) throw new CheckoutError('internal')
    const state = openedState(await journals.load(chargeId))
    return {checkout: compose(chargeId, state, {now: clock.now(), stale: false, test, offers}), charge}
  }

  /** @returns whether all that could be told was told: only then may the service stop repeating itself */
  async function webhook(body: string): Promise<boolean> {
    const chargeIds = new Set<string>()
    for (const id of idsIn(body)) {
      const state = await journals.load(id)
      if (state.belongsTo !== undefined) chargeIds.add(state.belongsTo)
      else if (isOpened(state)) chargeIds.add(id)
    }
    let isAllTold = true
    for (const chargeId of chargeIds) {
      try {
        const {failed} = await readAndTell(chargeId)
        if (failed > 0) isAllTold = false
      } catch (error) {
        isAllTold = false
        logger.warn('a webhook could not be followed up', {chargeId, error: errorKind(error)})
      }
    }
    return isAllTold
  }

  async function readAndTell(chargeId: string): Promise<Told> {
    const {checkout, charge} = await readNow(chargeId)
    return tellInTurn(checkout, charge)
  }

  /** One telling at a time within a charge: a webhook then knows whether an earlier one succeeded. */
  function tellInTurn(checkout: Checkout, charge: Charge): Promise<Told> {
    return queued(tellQueue, checkout.chargeId, () => tell(checkout, charge, {...options, journals, logger}))
  }

  /** A page's poll may be the first to see money. */
  function tellInBackground(chargeId: string, charge: Charge | undefined): void {
    const telling = async () => {
      const state = openedState(await journals.load(chargeId))
      if (!charge || !hasUntold(state, options, clock.now())) return
      await tellInTurn(compose(chargeId, state, {now: clock.now(), stale: false, test}), charge)
    }
    telling().catch((error: unknown) => logger.error('telling failed', {chargeId, error: errorKind(error)}))
  }

  async function reconcile(): Promise<{read: number; delivered: number}> {
    const chargeIds: string[] = []
    for await (const chargeId of store.open()) chargeIds.push(chargeId)
    let read = 0
    let delivered = 0
    for (const chargeId of shuffled(chargeIds, random)) {
      if (closing.signal.aborted) break
      try {
        const state = await journals.load(chargeId)
        if (!isOpened(state)) continue
        // Looked at once more before it is closed for good.
        delivered += (await readAndTell(chargeId)).delivered
        read += 1
        const after = await journals.load(chargeId)
        if (isLongOver(after, clock.now()) && !hasUntold(after, options, clock.now()))
          await store.close(chargeId)
      } catch (error) {
        logger.warn('reconciling a charge failed', {chargeId, error: errorKind(error)})
      }
    }
    logger.info('reconciled', {read, delivered})
    return {read, delivered}
  }

  async function keepReconciling(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(reconcileEvery, closing.signal)
      if (closing.signal.aborted) return
      await reconcile().catch((error: unknown) =>
        logger.error('reconciling failed', {error: errorKind(error)}),
      )
    }
  }

  async function readCharge(chargeId: string): Promise<Charge> {
    const charge = await service.getCharge(chargeId)
    if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return charge
  }

  async function noteOpened(chargeId: string, charge: Charge): Promise<void> {
    const {billing} = charge
    const redirectUrl = safeRedirectUrl(charge.call_back_url)
    await journals.change(chargeId, ({opened}) =>
      opened
        ? undefined
        : {
            kind: 'opened',
            journal: crypto.randomUUID(),
            price: localPrice(billing.amount, billing.currency),
            createdAt: new Date(parseServiceDate(charge.createdAt ?? '') ?? clock.now()).toISOString(),
            acceptsPartial: billing.pricing_type?.includes('partial') === true,
            ...(billing.description ? {description: billing.description} : {}),
            ...(redirectUrl === undefined ? {} : {redirectUrl}),
          },
    )
  }
}

function isSettled({status}: ChargeState): boolean {
  return status === 'paid' || status === 'overpaid'
}

function openedState(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}

/** Opened as far as a page goes: minted, or settled without. */
function readable(state: ChargeState): OpenedState {
  const opened = openedState(state)
  if (!opened.minted && !isSettled(opened)) throw new CheckoutError('not_open')
  return opened
}

function checkedId(chargeId: string): string {
  if (!isChargeId(chargeId)) throw new CheckoutError('invalid_id')
  return chargeId
}

/** Runs `act` when all that was queued under this key before has ended. */
function queued<Result>(
  queue: Map<string, Promise<unknown>>,
  key: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = queue.get(key) ?? Promise.resolve()
  const turn = before.then(act, act)
  queue.set(key, turn)
  const leave = () => {
    if (queue.get(key) === turn) queue.delete(key)
  }
  turn.then(leave, leave)
  return turn
}
