/**
 * Finding out what was paid, and telling the merchant. Whatever gives the reason to look (a webhook, a page's poll, the
 * walk over open charges, the merchant who asks), only what the service says when it is read is believed (invariant 8).
 */
import {isPaid, type Charge, type Checkout} from '../../contract/index.js'
import {toCheckout, isOpened, type OpenedState} from '../checkout/to-checkout.js'
import {CheckoutError} from '../errors.js'
import type {ChargeState} from '../journal/state.js'
import {errorName} from '../logger.js'
import type {MintDeps} from '../charge/mint.js'
import {recordOpened, fetchCharge} from '../charge/open.js'
import {runExclusive} from '../async/run-exclusive.js'
import {isPastRetention, shuffled} from './reconcile.js'
import {hasPendingNotifications, notifyMerchant, type Handlers, type NotificationResult} from './notify.js'
import {extractChargeIds} from './webhook-ids.js'

export interface VerificationResult {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface Fulfilment {
  verify(chargeId: string): Promise<VerificationResult>
  /** @returns whether all that could be told was told: only then may the service stop repeating itself */
  webhook(body: string): Promise<boolean>
  /** A page's poll may be the first to see money. */
  notifyInBackground(chargeId: string, charge: Charge | undefined): void
  reconcile(): Promise<{read: number; delivered: number}>
  /** Reconciles every so many milliseconds, until closing. */
  keepReconciling(milliseconds: number): Promise<void>
}

export interface FulfilmentOptions extends MintDeps {
  readonly handlers: Handlers
  readonly random: () => number
  readonly test: boolean
  /** Ends the walk. */
  readonly closing: AbortSignal
}

export function createFulfilment(deps: FulfilmentOptions): Fulfilment {
  const {service, journals, reader: poller, logger, handlers, random, test, closing} = deps
  const {clock, store} = journals
  const notifying = new Map<string, Promise<unknown>>()

  return {
    async verify(chargeId) {
      const {checkout, charge} = await readNow(chargeId)
      return {paid: isPaid(checkout.status), checkout, charge}
    },

    async webhook(body) {
      let isAllNotified = true
      for (const chargeId of await knownCharges(body)) {
        try {
          const {failed} = await readAndNotify(chargeId)
          if (failed > 0) isAllNotified = false
        } catch (error) {
          isAllNotified = false
          logger.warn('a webhook could not be followed up', {chargeId, error: errorName(error)})
        }
      }
      return isAllNotified
    },

    notifyInBackground(chargeId, charge) {
      const notifyPending = async () => {
        const state = openedState(await journals.load(chargeId))
        if (!charge || !hasPendingNotifications(state, handlers)) return
        await notifySerially(toCheckout(chargeId, state, {now: clock.now(), stale: false, test}), charge)
      }
      notifyPending().catch((error: unknown) =>
        logger.error('telling failed', {chargeId, error: errorName(error)}),
      )
    },

    reconcile,

    async keepReconciling(milliseconds) {
      while (!closing.aborted) {
        await clock.sleep(milliseconds, closing)
        if (closing.aborted) return
        await reconcile().catch((error: unknown) =>
          logger.error('reconciling failed', {error: errorName(error)}),
        )
      }
    },
  }

  async function readNow(chargeId: string): Promise<{checkout: Checkout; charge: Charge}> {
    if (!isOpened(await journals.load(chargeId)))
      await recordOpened(chargeId, await fetchCharge(chargeId, service), journals)
    const {charge, assets: offers} = await poller.readNow(chargeId)
    if (!charge) throw new CheckoutError('internal')
    const state = openedState(await journals.load(chargeId))
    return {checkout: toCheckout(chargeId, state, {now: clock.now(), stale: false, test}, offers), charge}
  }

  /** The charges that we know of among those which a webhook's body may mean. */
  async function knownCharges(body: string): Promise<ReadonlySet<string>> {
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

  /** One telling at a time within a charge: a webhook then knows whether an earlier one succeeded. */
  function notifySerially(checkout: Checkout, charge: Charge): Promise<NotificationResult> {
    return runExclusive(notifying, checkout.chargeId, () =>
      notifyMerchant(checkout, charge, {...handlers, journals, logger}),
    )
  }

  async function reconcile(): Promise<{read: number; delivered: number}> {
    const chargeIds: string[] = []
    for await (const chargeId of store.openCharges()) chargeIds.push(chargeId)
    let read = 0
    let delivered = 0
    for (const chargeId of shuffled(chargeIds, random)) {
      if (closing.aborted) break
      try {
        const state = await journals.load(chargeId)
        if (!isOpened(state)) continue
        // Looked at once more before it is closed for good.
        delivered += (await readAndNotify(chargeId)).delivered
        read += 1
        const after = await journals.load(chargeId)
        if (isPastRetention(after, clock.now()) && !hasPendingNotifications(after, handlers))
          await store.closeCharge(chargeId)
      } catch (error) {
        logger.warn('reconciling a charge failed', {chargeId, error: errorName(error)})
      }
    }
    logger.info('reconciled', {read, delivered})
    return {read, delivered}
  }
}

function openedState(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}
