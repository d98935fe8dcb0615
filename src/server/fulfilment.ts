/**
 * Finding out what was paid, and telling the merchant. Whatever gives the reason to look (a webhook, a page's poll, the
 * walk over open charges, the merchant who asks), only what the service says when it is read is believed (invariant 8).
 */
import type {Charge, Checkout} from '../contract/index.js'
import {compose, isOpened, type OpenedState} from './compose.js'
import {CheckoutError} from './errors.js'
import type {ChargeState} from './journal/state.js'
import {errorKind} from './log.js'
import type {Minting} from './mint.js'
import {noteOpened, readCharge} from './opening.js'
import {queued} from './queue.js'
import {isLongOver, shuffled} from './reconcile.js'
import {hasUntold, tell, type Handlers, type Told} from './tell.js'
import {idsIn} from './webhook.js'

export interface Verified {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface Fulfilment {
  verify(chargeId: string): Promise<Verified>
  /** @returns whether all that could be told was told: only then may the service stop repeating itself */
  webhook(body: string): Promise<boolean>
  /** A page's poll may be the first to see money. */
  tellInBackground(chargeId: string, charge: Charge | undefined): void
  reconcile(): Promise<{read: number; delivered: number}>
  /** Reconciles every so many milliseconds, until closing. */
  keepReconciling(milliseconds: number): Promise<void>
}

export interface FulfilmentOptions extends Minting {
  readonly handlers: Handlers
  readonly random: () => number
  readonly test: boolean
  /** Ends the walk. */
  readonly closing: AbortSignal
}

export function createFulfilment(means: FulfilmentOptions): Fulfilment {
  const {service, journals, reader, logger, handlers, random, test, closing} = means
  const {clock, store} = journals
  const telling = new Map<string, Promise<unknown>>()

  return {
    async verify(chargeId) {
      const {checkout, charge} = await readNow(chargeId)
      return {paid: checkout.status === 'paid' || checkout.status === 'overpaid', checkout, charge}
    },

    async webhook(body) {
      let isAllTold = true
      for (const chargeId of await chargesIn(body)) {
        try {
          const {failed} = await readAndTell(chargeId)
          if (failed > 0) isAllTold = false
        } catch (error) {
          isAllTold = false
          logger.warn('a webhook could not be followed up', {chargeId, error: errorKind(error)})
        }
      }
      return isAllTold
    },

    tellInBackground(chargeId, charge) {
      const tellNews = async () => {
        const state = openedState(await journals.load(chargeId))
        if (!charge || !hasUntold(state, handlers)) return
        await tellInTurn(compose(chargeId, state, {now: clock.now(), stale: false, test}), charge)
      }
      tellNews().catch((error: unknown) =>
        logger.error('telling failed', {chargeId, error: errorKind(error)}),
      )
    },

    reconcile,

    async keepReconciling(milliseconds) {
      while (!closing.aborted) {
        await clock.sleep(milliseconds, closing)
        if (closing.aborted) return
        await reconcile().catch((error: unknown) =>
          logger.error('reconciling failed', {error: errorKind(error)}),
        )
      }
    },
  }

  async function readNow(chargeId: string): Promise<{checkout: Checkout; charge: Charge}> {
    if (!isOpened(await journals.load(chargeId)))
      await noteOpened(chargeId, await readCharge(chargeId, service), journals)
    const {charge, offers} = await reader.readNow(chargeId)
    if (!charge) throw new CheckoutError('internal')
    const state = openedState(await journals.load(chargeId))
    return {checkout: compose(chargeId, state, {now: clock.now(), stale: false, test}, offers), charge}
  }

  /** The charges that we know of among those which a webhook's body may mean. */
  async function chargesIn(body: string): Promise<ReadonlySet<string>> {
    const chargeIds = new Set<string>()
    for (const id of idsIn(body)) {
      const state = await journals.load(id)
      if (state.belongsTo !== undefined) chargeIds.add(state.belongsTo)
      else if (isOpened(state)) chargeIds.add(id)
    }
    return chargeIds
  }

  async function readAndTell(chargeId: string): Promise<Told> {
    const {checkout, charge} = await readNow(chargeId)
    return tellInTurn(checkout, charge)
  }

  /** One telling at a time within a charge: a webhook then knows whether an earlier one succeeded. */
  function tellInTurn(checkout: Checkout, charge: Charge): Promise<Told> {
    return queued(telling, checkout.chargeId, () => tell(checkout, charge, {...handlers, journals, logger}))
  }

  async function reconcile(): Promise<{read: number; delivered: number}> {
    const chargeIds: string[] = []
    for await (const chargeId of store.open()) chargeIds.push(chargeId)
    let read = 0
    let delivered = 0
    for (const chargeId of shuffled(chargeIds, random)) {
      if (closing.aborted) break
      try {
        const state = await journals.load(chargeId)
        if (!isOpened(state)) continue
        // Looked at once more before it is closed for good.
        delivered += (await readAndTell(chargeId)).delivered
        read += 1
        const after = await journals.load(chargeId)
        if (isLongOver(after, clock.now()) && !hasUntold(after, handlers)) await store.close(chargeId)
      } catch (error) {
        logger.warn('reconciling a charge failed', {chargeId, error: errorKind(error)})
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
