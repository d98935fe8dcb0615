/** The operations of the checkout API: open, read and quote a charge. Each resolves to a `Checkout` as JSON. */
import {isPaid, withTimeout, type QuoteRequest} from '../../contract/index.js'
import type {MaybePromise} from '../../http/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {checkoutJson, type CheckoutJson} from '../checkout/checkout-json.js'
import {isOpened, type OpenedState, type ReadContext} from '../checkout/to-checkout.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {ChargeState} from '../journal/state.js'
import {indexCryptoCharge, mint} from './mint.js'
import {recordOpened, fetchCharge} from './open.js'
import {runExclusive} from '../async/run-exclusive.js'
import {quote, type QuoteDeps} from './quote.js'

export interface ChargeOperations {
  /** Reads the charge, and mints or resumes its crypto charge. Concurrent calls share one run. */
  open(chargeId: string): Promise<CheckoutJson>
  /** The current charge, or the last known one while the service cannot be read. */
  read(chargeId: string): MaybePromise<CheckoutJson>
  /** One at a time within a charge, so that the last request makes the current quote. */
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutJson>
}

/** Shorter than the ten seconds after which a page stops waiting. The poll itself continues. */
const READ_TIMEOUT_MS = 7_000

export function createChargeOperations(deps: QuoteDeps, test: boolean): ChargeOperations {
  const {service, journals, poller, logger} = deps
  const {clock, time} = journals
  const opening = new Map<string, Promise<CheckoutJson>>()
  const quoting = new Map<string, Promise<unknown>>()

  return {
    open(chargeId) {
      const running = opening.get(chargeId)
      if (running) return running
      const started = open(chargeId).finally(() => opening.delete(chargeId))
      opening.set(chargeId, started)
      return started
    },
    read,
    quote: (chargeId, request) =>
      runExclusive(quoting, chargeId, async () => {
        await quote(chargeId, request, deps)
        return read(chargeId)
      }),
  }

  async function open(chargeId: string): Promise<CheckoutJson> {
    const state = await journals.load(chargeId)
    if (isReadable(state)) {
      // The process that minted may have ended before it wrote the index.
      if (state.minted) await indexCryptoCharge(chargeId, state.minted.cryptoChargeId, journals)
      return refreshAndRead(chargeId, () => pollNow(chargeId))
    }
    const charge = await fetchCharge(chargeId, service)
    if (charge.status.value === 'underpaid') throw new CheckoutError('cannot_resume')
    await recordOpened(chargeId, charge, journals)
    if (charge.status.value === 'unpaid') await mint(chargeId, charge, deps)
    else await pollNow(chargeId)
    return read(chargeId)
  }

  /** The charge may have been paid elsewhere since, which nothing else may report. */
  async function pollNow(chargeId: string): Promise<WalletAssets | undefined> {
    const {assets, charge} = await poller.readNow(chargeId)
    poller.onPoll(chargeId, charge)
    return assets
  }

  /** Most reads find fresh state and return synchronously. */
  function read(chargeId: string): MaybePromise<CheckoutJson> {
    const now = clock.now()
    const result = poller.peekFresh(chargeId, now)
    const state = result && journals.peekFresh(chargeId, now)
    if (!state || !isReadable(state)) return refreshAndRead(chargeId)
    return checkoutJson(chargeId, state, {now: time.now(), stale: false, test}, result.last?.snapshot.assets)
  }

  async function refreshAndRead(chargeId: string, poll = () => poller.read(chargeId)): Promise<CheckoutJson> {
    const cached = journals.peek(chargeId)
    // A readable charge stays readable, so its cached state is enough.
    if (!cached || !isReadable(cached)) checkReadable(await journals.loadCached(chargeId))
    try {
      return await toResponse(chargeId, await withReadTimeout(poll()), false)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      logger.warn('reading failed', {chargeId, code: error.code, status: error.upstreamStatus})
      return toResponse(chargeId, poller.lastAssets(chargeId), true)
    }
  }

  function withReadTimeout(result: Promise<WalletAssets | undefined>): Promise<WalletAssets | undefined> {
    return withTimeout(
      clock,
      READ_TIMEOUT_MS,
      () => result,
      () => {
        throw new ServiceError('getCryptoCharge', 'upstream_timeout', {outcome: 'none'})
      },
    )
  }

  /** Before the first response of the service, our clock may be hours ahead, and a page keeps showing `expired`. */
  function timesFor(chargeId: string): Pick<ReadContext, 'now' | 'latest'> {
    const latest = time.now()
    const lastAt = poller.service.time.isKnown ? undefined : journals.lastSeen(chargeId)?.at
    return {now: Math.min(latest, lastAt ?? latest), latest}
  }

  async function toResponse(
    chargeId: string,
    assets: WalletAssets | undefined,
    stale: boolean,
  ): Promise<CheckoutJson> {
    const state = checkReadable(await journals.loadCached(chargeId))
    return checkoutJson(chargeId, state, {...timesFor(chargeId), stale, test}, assets)
  }
}

/** Opened and minted, or paid without a crypto charge of ours. */
function isReadable(state: ChargeState): state is OpenedState {
  return isOpened(state) && (state.minted !== undefined || isPaid(state.status))
}

function checkReadable(state: ChargeState): OpenedState {
  if (!isReadable(state)) throw new CheckoutError('not_open')
  return state
}
