/** What a page may ask: to open a charge, to read it, to quote. Each answer is a `Checkout` as JSON. */
import type {QuoteRequest} from '../contract/index.js'
import type {Soon} from '../http/index.js'
import type {Offers} from './catalogue.js'
import {checkoutText} from './checkout-text.js'
import {isOpened, type OpenedState} from './compose.js'
import {CheckoutError, ServiceError} from './errors.js'
import type {ChargeState} from './journal/state.js'
import {mint} from './mint.js'
import {noteOpened, readCharge} from './opening.js'
import {queued} from './queue.js'
import {quote, type Quoting} from './quote.js'

export interface Pages {
  /** Reads the charge, and mints or resumes its crypto charge. Several at once share one. */
  open(chargeId: string): Promise<string>
  /** The charge as it is; when the service cannot be read, as it was last known. */
  read(chargeId: string): Soon<string>
  /** One after the other within a charge, so that the last asked is the one quoted. */
  quote(chargeId: string, wanted: QuoteRequest): Promise<string>
}

/** Milliseconds that a page's read waits for the service. */
const PAGE_WAITS = 7_000

export function createPages(means: Quoting, test: boolean): Pages {
  const {service, journals, reader, logger} = means
  const {clock} = journals
  const opening = new Map<string, Promise<string>>()
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
    quote: (chargeId, wanted) =>
      queued(quoting, chargeId, async () => {
        await quote(chargeId, wanted, means)
        return read(chargeId)
      }),
  }

  async function open(chargeId: string): Promise<string> {
    const state = await journals.load(chargeId)
    if (!state.minted && !isSettled(state)) {
      const charge = await readCharge(chargeId, service)
      if (charge.status.value === 'underpaid') throw new CheckoutError('cannot_resume')
      await noteOpened(chargeId, charge, journals)
      if (charge.status.value === 'unpaid') await mint(chargeId, charge, means)
      else await reader.readNow(chargeId)
    }
    return read(chargeId)
  }

  /** Nearly every read finds what is less than a second old, and is answered at once. */
  function read(chargeId: string): Soon<string> {
    const now = clock.now()
    const look = reader.fresh(chargeId, now)
    const state = look && journals.fresh(chargeId, now)
    if (!state || !isReadable(state)) return lookAndRead(chargeId)
    return checkoutText(chargeId, state, {now, stale: false, test}, look.seen?.sight.offers)
  }

  async function lookAndRead(chargeId: string): Promise<string> {
    const known = journals.lastKnown(chargeId)
    // What could be read once can be: whatever has happened since, the look will see.
    if (!known || !isReadable(known)) checkReadable(await journals.recent(chargeId))
    try {
      return await present(chargeId, await inTime(reader.read(chargeId)), false)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      logger.warn('reading failed', {chargeId, code: error.code, status: error.upstreamStatus})
      return present(chargeId, reader.lastOffers(chargeId), true)
    }
  }

  /** A page gives up after ten seconds: before that it is to hear what is known. The look itself goes on. */
  function inTime(look: Promise<Offers | undefined>): Promise<Offers | undefined> {
    const over = new AbortController()
    const late = clock.sleep(PAGE_WAITS, over.signal).then(() => {
      if (over.signal.aborted) return look
      throw new ServiceError('getCryptoCharge', 'upstream_timeout', {outcome: 'none'})
    })
    return Promise.race([look, late]).finally(() => over.abort('over'))
  }

  async function present(chargeId: string, offers: Offers | undefined, stale: boolean): Promise<string> {
    const state = checkReadable(await journals.recent(chargeId))
    return checkoutText(chargeId, state, {now: clock.now(), stale, test}, offers)
  }
}

/** Opened as far as a page goes: minted, or settled without. */
function isReadable(state: ChargeState): state is OpenedState {
  return isOpened(state) && (state.minted !== undefined || isSettled(state))
}

function checkReadable(state: ChargeState): OpenedState {
  if (!isReadable(state)) throw new CheckoutError('not_open')
  return state
}

function isSettled({status}: ChargeState): boolean {
  return status === 'paid' || status === 'overpaid'
}
