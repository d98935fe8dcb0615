/**
 * Finds out what was paid and notifies the merchant. A webhook, a page's poll, a pass over the open charges or the
 * merchant gives the reason to read; only the service's response is believed (invariant 8).
 */
import {isPaid, type Charge, type Checkout} from '../../contract/index.js'
import {fetchCharge, recordOpened} from '../charge/open.js'
import {isOpened, toCheckout} from '../checkout/to-checkout.js'
import {CheckoutError} from '../errors.js'
import type {ChargeState} from '../journal/state.js'
import {errorName} from '../logger.js'
import {Archive, type ArchiveOptions} from './archive.js'
import {Notifier, callHandler, type NotifierOptions} from './notify.js'
import {OpenCharges, type OpenChargesDeps, type ReconcileResult} from './open-charges.js'
import {extractChargeIds} from './webhook-ids.js'

export interface VerificationResult {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface Fulfilment {
  /** Reads the service now. Pending notifications are delivered in the background. */
  verify(chargeId: string): Promise<VerificationResult>
  /**
   * Resolves when no notification of the named charges is pending. Rejects with `CheckoutError`, so that the service
   * repeats the webhook: `internal` when a notification failed, `upstream_unavailable` when another process is still
   * delivering it.
   */
  webhook(body: string): Promise<void>
  /** A page's poll may be the first to see a payment. */
  notifyInBackground(chargeId: string, charge: Charge | undefined): void
  /** The merchant has settled all alerts of the charge. */
  clearAlert(chargeId: string): Promise<void>
  /** Notifies of a store that lost entries. Its journal cannot record this. */
  storeLost(chargeId: string): void
  /** Both passes, for a caller without timers. */
  reconcile(): Promise<ReconcileResult>
  /** Runs the passes until `closing`. */
  runPasses(reconcileEvery: number): Promise<unknown>
}

export type FulfilmentOptions = NotifierOptions &
  Omit<OpenChargesDeps, 'notifier' | 'archive' | 'readNow'> &
  Omit<ArchiveOptions, 'hasPending'>

const SWEEP_INTERVAL_MS = 30_000
/** Charges of one webhook that are read. */
const MAX_KNOWN_IDS = 20

export function createFulfilment(deps: FulfilmentOptions): Fulfilment {
  const {service, journals, poller, logger, handlers, handlerTimeout, test, diagnostics, inFlight} = deps
  const {clock, time} = journals
  const notifier = new Notifier(deps)
  const archive = new Archive({
    ...deps,
    hasPending: (chargeId, state) => notifier.hasPending(chargeId, state),
  })
  const openCharges = new OpenCharges({...deps, notifier, archive, readNow})

  return {
    async verify(chargeId) {
      const {checkout, charge} = await readNow(chargeId)
      notifier.notifyInBackground(chargeId, charge)
      return {paid: isPaid(checkout.status), checkout, charge}
    },

    async webhook(body) {
      const results = await Promise.allSettled([...(await findCharges(body))].map(readAndNotify))
      const reasons = results.flatMap((result): unknown[] =>
        result.status === 'rejected' ? [result.reason] : [],
      )
      const [busy] = reasons.filter(reason => reason instanceof BusyError)
      if (busy && reasons.every(reason => reason instanceof BusyError)) throw busy
      if (reasons.length > 0) throw new CheckoutError('internal')
    },

    notifyInBackground: (chargeId, charge) => notifier.notifyInBackground(chargeId, charge),

    async clearAlert(chargeId) {
      const {appended} = await journals.update(chargeId, ({alerts}) =>
        [...alerts.values()].some(({cleared}) => !cleared) ? {kind: 'alert_cleared'} : undefined,
      )
      if (appended) logger.info('alert cleared', {chargeId})
    },

    storeLost(chargeId) {
      const {onAlert} = handlers
      diagnostics.publish('alert', {kind: 'store_lost'})
      if (!onAlert) return
      const call = (signal: AbortSignal) => onAlert({kind: 'store_lost', chargeId}, {signal})
      inFlight
        .run('handlers', () => callHandler('onAlert', call, clock, handlerTimeout, diagnostics))
        .catch((error: unknown) => logger.error('a handler failed', {chargeId, error: errorName(error)}))
    },

    async reconcile() {
      const [swept, reconciled] = await Promise.all([openCharges.sweep(), openCharges.reconcile()])
      const delivered = (await swept.deliveries) + (await reconciled.deliveries)
      return {read: reconciled.read, delivered}
    },

    runPasses: reconcileEvery =>
      Promise.all([
        openCharges.repeat(SWEEP_INTERVAL_MS, () => openCharges.sweep()),
        reconcileEvery > 0 && openCharges.repeat(reconcileEvery, () => openCharges.reconcile()),
      ]),
  }

  async function readNow(
    chargeId: string,
  ): Promise<{state: ChargeState; checkout: Checkout; charge: Charge}> {
    if (!isOpened(await journals.load(chargeId)))
      await recordOpened(chargeId, await fetchCharge(chargeId, service), journals)
    const {charge, assets} = await poller.readNow(chargeId)
    const state = await journals.load(chargeId)
    if (!charge || !isOpened(state)) throw new CheckoutError('internal')
    const checkout = toCheckout(chargeId, state, {now: time.now(), stale: false, test}, assets)
    return {state, checkout, charge}
  }

  /** The charges in the store among the ids in a webhook's body. */
  async function findCharges(body: string): Promise<ReadonlySet<string>> {
    const chargeIds = new Set<string>()
    for (const id of extractChargeIds(body)) {
      if (chargeIds.size === MAX_KNOWN_IDS) break
      const state = await journals.load(id)
      if (state.aliasOf !== undefined) chargeIds.add(state.aliasOf)
      else if (isOpened(state)) chargeIds.add(id)
    }
    if (chargeIds.size === 0) logger.info('a webhook names no known charge')
    return chargeIds
  }

  /**
   * Resolves when no notification is pending. Waits for a notification that another process delivers. Rejects if the service
   * says that the charge is paid, but its payments cannot be read and do not show it.
   */
  async function readAndNotify(chargeId: string): Promise<void> {
    try {
      const {state, charge} = await readNow(chargeId)
      const deadline = time.now() + handlerTimeout
      for (;;) {
        const {failed, claimedUntil} = await notifier.notify(chargeId, {charge, force: true})
        if (failed > 0) throw new CheckoutError('internal')
        if (claimedUntil === undefined) break
        const now = time.now()
        if (now >= deadline) throw new BusyError(Math.ceil((claimedUntil - now) / 1000))
        await journals.waitForChange(chargeId, Math.min(claimedUntil, deadline) - now)
      }
      // The payment that cannot be read may be the confirmed one, and this webhook the last one about it. Also if the alert
      // was cleared.
      const hasUnreadable = state.alerts.has('payment_unreadable')
      if (hasUnreadable && isPaid(charge.status.value) && !isPaid(state.status))
        throw new CheckoutError('upstream_invalid')
    } catch (error) {
      logger.warn('processing a webhook failed', {chargeId, error: errorName(error)})
      throw error
    }
  }
}

/** Another process is still delivering a notification. */
class BusyError extends CheckoutError {
  override readonly name = 'BusyError'

  constructor(retryAfter: number) {
    super('upstream_unavailable', Math.max(1, retryAfter))
  }
}
