/**
 * Finds out what was paid and notifies the merchant. A webhook, a page's poll, a reconciliation pass or the merchant
 * gives the reason to read; only the service's response is believed (invariant 8).
 */
import {isPaid, type Charge, type Checkout} from '../../contract/index.js'
import {runExclusive} from '../async/run-exclusive.js'
import type {MintDeps} from '../charge/mint.js'
import {fetchCharge, recordOpened} from '../charge/open.js'
import {isOpened, toCheckout, type OpenedState} from '../checkout/to-checkout.js'
import {CheckoutError} from '../errors.js'
import type {ChargeState} from '../journal/state.js'
import {errorName} from '../logger.js'
import {hasPendingNotifications, notifyMerchant, type Handlers, type NotificationResult} from './notify.js'
import {keepReconciling, reconcile, type ReconcileResult} from './reconcile.js'
import {extractChargeIds} from './webhook-ids.js'

export interface VerificationResult {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface Fulfilment {
  verify(chargeId: string): Promise<VerificationResult>
  /** Resolves to whether every notification was delivered. If not, the service must repeat the webhook. */
  webhook(body: string): Promise<boolean>
  /** A page's poll may be the first to see a payment. */
  notifyInBackground(chargeId: string, charge: Charge | undefined): void
  reconcile(): Promise<ReconcileResult>
  /** Reconciles at this interval until closing. */
  keepReconciling(intervalMs: number): Promise<void>
}

export interface FulfilmentOptions extends MintDeps {
  readonly handlers: Handlers
  readonly random: () => number
  readonly test: boolean
  /** Ends a reconciliation pass. */
  readonly closing: AbortSignal
}

export function createFulfilment(deps: FulfilmentOptions): Fulfilment {
  const {service, journals, poller, logger, handlers, test, closing} = deps
  const {clock, time} = journals
  const notifying = new Map<string, Promise<unknown>>()
  const reconcileAll = () => reconcile({...deps, readAndNotify})

  return {
    async verify(chargeId) {
      const {checkout, charge} = await readNow(chargeId)
      return {paid: isPaid(checkout.status), checkout, charge}
    },

    async webhook(body) {
      let isAllNotified = true
      for (const chargeId of await findCharges(body)) {
        try {
          const {failed} = await readAndNotify(chargeId)
          if (failed > 0) isAllNotified = false
        } catch (error) {
          isAllNotified = false
          logger.warn('processing a webhook failed', {chargeId, error: errorName(error)})
        }
      }
      return isAllNotified
    },

    notifyInBackground(chargeId, charge) {
      const notifyPending = async () => {
        const state = openedState(await journals.load(chargeId))
        if (!charge || !hasPendingNotifications(state, handlers)) return
        await notifySerially(toCheckout(chargeId, state, {now: time.now(), stale: false, test}), charge)
      }
      notifyPending().catch((error: unknown) =>
        logger.error('notifying failed', {chargeId, error: errorName(error)}),
      )
    },

    reconcile: reconcileAll,
    keepReconciling: intervalMs => keepReconciling(intervalMs, {clock, logger, closing}, reconcileAll),
  }

  async function readNow(chargeId: string): Promise<{checkout: Checkout; charge: Charge}> {
    if (!isOpened(await journals.load(chargeId)))
      await recordOpened(chargeId, await fetchCharge(chargeId, service), journals)
    const {charge, assets} = await poller.readNow(chargeId)
    if (!charge) throw new CheckoutError('internal')
    const state = openedState(await journals.load(chargeId))
    return {checkout: toCheckout(chargeId, state, {now: time.now(), stale: false, test}, assets), charge}
  }

  /** The charges in the store among the ids in a webhook's body. */
  async function findCharges(body: string): Promise<ReadonlySet<string>> {
    const chargeIds = new Set<string>()
    for (const id of extractChargeIds(body)) {
      const state = await journals.load(id)
      if (state.aliasOf !== undefined) chargeIds.add(state.aliasOf)
      else if (isOpened(state)) chargeIds.add(id)
    }
    return chargeIds
  }

  async function readAndNotify(chargeId: string): Promise<NotificationResult> {
    const {checkout, charge} = await readNow(chargeId)
    return notifySerially(checkout, charge)
  }

  /** One at a time within a charge, so that a webhook knows whether an earlier notification succeeded. */
  function notifySerially(checkout: Checkout, charge: Charge): Promise<NotificationResult> {
    return runExclusive(notifying, checkout.chargeId, () =>
      notifyMerchant(checkout, charge, {...handlers, journals, logger}),
    )
  }
}

function openedState(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}
