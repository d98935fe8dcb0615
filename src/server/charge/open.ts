/** Opens a charge: the first entry of its journal fixes the price. */
import {parseServiceDate, type Charge} from '../../contract/index.js'
import {ServiceError} from '../errors.js'
import {omitUndefined} from '../omit-undefined.js'
import type {JournalRepository} from '../journal/repository.js'
import {localPrice} from '../checkout/money.js'
import {safeRedirectUrl} from '../options.js'
import type {ServiceClient} from '../service/client.js'

export async function fetchCharge(chargeId: string, service: ServiceClient): Promise<Charge> {
  const charge = await service.getCharge(chargeId)
  if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
  return charge
}

export async function recordOpened(
  chargeId: string,
  charge: Charge,
  journals: JournalRepository,
): Promise<void> {
  const {billing} = charge
  const redirectUrl = safeRedirectUrl(charge.call_back_url)
  await journals.update(chargeId, ({opened}) =>
    opened
      ? undefined
      : {
          kind: 'opened',
          journal: crypto.randomUUID(),
          price: localPrice(billing.amount, billing.currency),
          createdAt: new Date(parseServiceDate(charge.createdAt ?? '') ?? journals.time.now()).toISOString(),
          acceptsPartial: billing.pricing_type?.includes('partial') === true,
          ...(billing.description ? {description: billing.description} : {}),
          ...omitUndefined({redirectUrl}),
        },
  )
}
