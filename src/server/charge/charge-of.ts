/** The document of a charge that is not stored yet. Pure. */
import {decimal, parseDecimal, parseServiceDate, toTrimmedText, type Charge} from '../../contract/index.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {safeRedirectUrl} from '../base/option-parser.js'
import {newCharge, type OpenedDocument} from '../charges/document.js'
import {localPrice} from '../checkout/money.js'

export function chargeOf(charge: Charge, now: number, order?: OpenedDocument['order']): OpenedDocument {
  const {billing} = charge
  const document = newCharge({
    at: now,
    price: localPrice(billing.amount, billing.currency),
    createdAt: new Date(parseServiceDate(charge.createdAt ?? '') ?? now).toISOString(),
    acceptsPartial: billing.pricing_type?.includes('partial') === true,
    ...(billing.description ? {description: billing.description} : {}),
    ...(charge.ref_id ? {reference: charge.ref_id} : {}),
    ...taxOf(billing),
    ...omitUndefined({redirectUrl: safeRedirectUrl(charge.call_back_url)}),
  })
  return order ? {...document, order} : document
}

/** What the receipt shows of the bill, if it is what the specification says. */
function taxOf({vat, country}: Charge['billing']): {vat?: string; country?: string} {
  return {
    ...(vat && parseDecimal(vat) && {vat: toTrimmedText(decimal(vat))}),
    ...(country && /^[A-Z]{2}$/i.test(country) && {country: country.toUpperCase()}),
  }
}
