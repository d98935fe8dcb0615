/** Taking note of a charge for the first time: its price is fixed by this first read. */
import {parseServiceDate, type Charge} from '../contract/index.js'
import {ServiceError} from './errors.js'
import {given} from './given.js'
import type {Journals} from './journal/journals.js'
import {localPrice} from './local-money.js'
import {safeRedirectUrl} from './options.js'
import type {ServiceClient} from './service-client.js'

export async function readCharge(chargeId: string, service: ServiceClient): Promise<Charge> {
  const charge = await service.getCharge(chargeId)
  if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
  return charge
}

export async function noteOpened(chargeId: string, charge: Charge, journals: Journals): Promise<void> {
  const {billing} = charge
  const redirectUrl = safeRedirectUrl(charge.call_back_url)
  await journals.change(chargeId, ({opened}) =>
    opened
      ? undefined
      : {
          kind: 'opened',
          journal: crypto.randomUUID(),
          price: localPrice(billing.amount, billing.currency),
          createdAt: new Date(parseServiceDate(charge.createdAt ?? '') ?? journals.clock.now()).toISOString(),
          acceptsPartial: billing.pricing_type?.includes('partial') === true,
          ...(billing.description ? {description: billing.description} : {}),
          ...given({redirectUrl}),
        },
  )
}
