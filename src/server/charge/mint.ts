/**
 * Mints: creates the one crypto charge of a payment charge (invariant 3). No address of a crypto charge whose create had
 * an unknown outcome was shown, so it is safe to mint again after the lock's end.
 */
import type {Charge} from '../../contract/index.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {isOpened, requireOpened} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {localPrice} from '../checkout/money.js'
import type {ServerContext} from '../context.js'
import {ServiceError} from '../errors.js'
import {createOnce} from './lock.js'
import {conclude, observe, toSnapshot} from './observe.js'

/** Resolves when the charge has its crypto charge, from this process or another. */
export function mint(context: ServerContext, chargeId: string, charge: Charge): Promise<void> {
  return createOnce(context, {
    documents: context.charges,
    id: chargeId,
    idName: 'chargeId',
    // What was read before may be older: its order may have another charge now.
    isDone: document => requireOpened(document).minted !== undefined || document.endedAt !== undefined,
    create: () => create(context, chargeId, charge),
  })
}

async function create(context: ServerContext, chargeId: string, charge: Charge): Promise<void> {
  const {service, charges, aliases, time, rules, logger} = context
  const cryptoCharge = await service.createCryptoCharge(chargeId)
  if (cryptoCharge.charge_id && cryptoCharge.charge_id !== chargeId)
    throw new ServiceError('createCryptoCharge', 'upstream_invalid', {outcome: 'unknown'})
  const snapshot = toSnapshot(cryptoCharge)
  const {cryptoChargeId, localPrice: price} = snapshot
  // First, so that a webhook with only this id finds the charge, whatever happens next.
  await aliases.update(cryptoChargeId, alias => (alias ? undefined : {format: 0, writes: [], chargeId}))
  const times = {now: time.now(), expiry: time.expiry()}
  // The first `minted` wins, also if the lock has ended.
  const {document} = await charges.update(chargeId, (latest, rev) => {
    if (!isOpened(latest) || latest.minted) return undefined
    const minted = {
      at: times.now,
      cryptoChargeId,
      price: localPrice(price.amount, price.currency),
      assets: walletAssetsOf(cryptoCharge.wallet),
    }
    const line = withLine({...latest, minted, lock: undefined}, times.now, 'minted', {cryptoChargeId})
    const observed = observe(line, {charge, snapshot}, times, rules, rev)
    // The worker reads it from now on, however old it is.
    return conclude(latest, {...observed, readAt: undefined}, times.now, rules, rev)
  })
  logger.info('minted', {chargeId, cryptoChargeId, ours: document?.minted?.cryptoChargeId === cryptoChargeId})
}
