/** What a page may ask: to open a charge, to read it, to quote. Each answer is a `Checkout` as JSON. */
import type {QuoteRequest} from '../contract/index.js'
import {andThen, orElse, type Soon} from '../http/index.js'
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

  function read(chargeId: string): Soon<string> {
    return current(chargeId) ?? readable(chargeId)
  }

  /** Nearly every read: what is known is less than a second old. */
  function current(chargeId: string): string | undefined {
    const now = clock.now()
    const look = reader.fresh(chargeId, now)
    const state = look && journals.fresh(chargeId, now)
    if (!state || !isReadable(state)) return undefined
    return checkoutText(chargeId, state, {now, stale: false, test}, look.seen?.sight.offers)
  }

  function readable(chargeId: string): Soon<string> {
    const known = journals.lastKnown(chargeId)
    // What could be read once can be: whatever has happened since, the look will see.
    if (known && isReadable(known)) return look(chargeId)
    return andThen(journals.recent(chargeId), state => {
      checkReadable(state)
      return look(chargeId)
    })
  }

  function look(chargeId: string): Soon<string> {
    return orElse(
      () => andThen(inTime(reader.read(chargeId)), offers => present(chargeId, offers, false)),
      error => {
        if (!(error instanceof ServiceError)) throw error
        logger.warn('reading failed', {chargeId, code: error.code, status: error.upstreamStatus})
        return present(chargeId, reader.lastOffers(chargeId), true)
      },
    )
  }

  /** A page gives up after ten seconds: before that it is to hear what is known. The look itself goes on. */
  function inTime(look: Soon<Offers | undefined>): Soon<Offers | undefined> {
    if (!(look instanceof Promise)) return look
    const over = new AbortController()
    const late = clock.sleep(PAGE_WAITS, over.signal).then(() => {
      if (over.signal.aborted) return look
      throw new ServiceError('getCryptoCharge', 'upstream_timeout', {outcome: 'none'})
    })
    return Promise.race([look, late]).finally(() => over.abort('over'))
  }

  function present(chargeId: string, offers: Offers | undefined, stale: boolean): Soon<string> {
    return andThen(journals.recent(chargeId), state =>
      checkoutText(chargeId, checkReadable(state), {now: clock.now(), stale, test}, offers),
    )
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
