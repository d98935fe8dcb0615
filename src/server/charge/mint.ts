/**
 * Mints: creates the one crypto charge of a payment charge (invariant 3). No address of a crypto charge whose create had
 * an unknown outcome was shown, so it is safe to mint again after the lock's end.
 */
import type {Charge} from '../../contract/index.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {localPrice} from '../checkout/money.js'
import type {ServerContext} from '../context/context.js'
import {ServiceError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {createOnce} from './create-once.js'
import {expiryOf} from './detect-change.js'
import type {SharedRead} from './shared-read.js'

/** Resolves when the charge has its crypto charge, from this process or another. */
export function mint(
  context: ServerContext,
  journal: Journal,
  charge: Charge,
  reads: SharedRead,
): Promise<void> {
  return createOnce(
    context,
    journal,
    ({minted}) => minted !== undefined,
    () => create(context, journal, charge, reads),
  )
}

async function create(
  context: ServerContext,
  journal: Journal,
  charge: Charge,
  reads: SharedRead,
): Promise<void> {
  const {service, logger} = context
  const chargeId = journal.id
  const cryptoCharge = await service.createCryptoCharge(chargeId)
  if (cryptoCharge.charge_id && cryptoCharge.charge_id !== chargeId)
    throw new ServiceError('createCryptoCharge', 'upstream_invalid', {outcome: 'unknown'})
  const {amount, currency} = cryptoCharge.wallet.local_price
  const {state} = await journal.update(({minted}) =>
    minted
      ? undefined
      : {
          kind: 'minted',
          cryptoChargeId: cryptoCharge._id,
          price: localPrice(amount, currency),
          expiresAt: expiryOf(cryptoCharge),
          assets: walletAssetsOf(cryptoCharge.wallet),
        },
  )
  const isOurs = state.minted?.cryptoChargeId === cryptoCharge._id
  logger.info('minted', {chargeId, cryptoChargeId: state.minted?.cryptoChargeId, ours: isOurs})
  if (!isOurs) return
  await recordAlias(context, chargeId, cryptoCharge._id)
  await reads.record(journal, cryptoCharge, charge)
}

/** Lets a webhook with only the crypto charge's id find the charge. An existing journal of that id is not changed. */
export async function recordAlias(
  {journals, store}: ServerContext,
  chargeId: string,
  cryptoChargeId: string,
): Promise<void> {
  const {appended} = await journals
    .of(cryptoChargeId)
    .update(({rev}) => (rev === 0 ? {kind: 'alias', chargeId} : undefined))
  if (appended) await store.closeCharge(cryptoChargeId)
}
