/** Opens a charge: the first entry of its journal fixes the price, and then its crypto charge is minted or resumed. */
import {
  decimal,
  isPaid,
  parseDecimal,
  parseServiceDate,
  toTrimmedText,
  type Charge,
} from '../../contract/index.js'
import {localPrice} from '../checkout/money.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {isOpened, type ChargeState, type OpenedState} from '../journal/state.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {safeRedirectUrl} from '../base/option-parser.js'
import {mint, recordAlias} from './mint.js'
import {readCharge, type Observed} from './observe.js'
import type {SharedRead} from './shared-read.js'

/** Resolves to false when the charge was open before: then it may have been paid elsewhere since, and must be read. */
export async function open(context: ServerContext, journal: Journal, reads: SharedRead): Promise<boolean> {
  const state = await journal.state()
  if (isReadable(state)) {
    // The process that minted may have ended before it wrote the alias.
    if (state.minted) await recordAlias(context, journal.id, state.minted.cryptoChargeId)
    return false
  }
  const charge = await readCharge({...context, service: context.service.urgent}, journal.id)
  const status = charge.status.value
  if (status === 'underpaid') throw new CheckoutError('cannot_resume')
  await recordOpened(context, journal, charge)
  if (status === 'unpaid') await mint(context, journal, charge, reads)
  else await reads.readNow(journal, true)
  return true
}

/** Reads a charge that may never have been opened here, or is archived. */
export async function readNowAndOpen(
  context: ServerContext,
  journal: Journal,
  reads: SharedRead,
  order?: OrderLink,
): Promise<Observed> {
  await ensureOpened(context, journal, order)
  return reads.readNow(journal, order !== undefined)
}

/** Reads and records what the first entry needs, if there is none. */
export async function ensureOpened(
  context: ServerContext,
  journal: Journal,
  order?: OrderLink,
): Promise<void> {
  const state = await journal.state()
  if (!isOpened(state) && !state.archived)
    await recordOpened(context, journal, await readCharge(context, journal.id), order)
}

/** What the first entry of a charge says about its order. */
export interface OrderLink {
  readonly order: string
  /** The charges that the order had before; absent for its first one. */
  readonly formers?: string[]
}

export async function recordOpened(
  {time}: ServerContext,
  journal: Journal,
  charge: Charge,
  order?: OrderLink,
): Promise<void> {
  const {billing} = charge
  const redirectUrl = safeRedirectUrl(charge.call_back_url)
  await journal.update(({opened, archived}) => {
    if (archived) throw new CheckoutError('expired')
    if (opened) return undefined
    return {
      kind: 'opened',
      journal: crypto.randomUUID(),
      price: localPrice(billing.amount, billing.currency),
      createdAt: new Date(parseServiceDate(charge.createdAt ?? '') ?? time.now()).toISOString(),
      acceptsPartial: billing.pricing_type?.includes('partial') === true,
      ...(billing.description ? {description: billing.description} : {}),
      ...(charge.ref_id ? {reference: charge.ref_id} : {}),
      ...taxOf(billing),
      ...omitUndefined({redirectUrl}),
      ...order,
    }
  })
}

/** What the receipt shows of the bill, if it is what the specification says. */
function taxOf({vat, country}: Charge['billing']): {vat?: string; country?: string} {
  return {
    ...(vat && parseDecimal(vat) && {vat: toTrimmedText(decimal(vat))}),
    ...(country && /^[A-Z]{2}$/i.test(country) && {country: country.toUpperCase()}),
  }
}

/** Opened and minted, or paid without a crypto charge of ours, or over before it was minted. */
export function isReadable(state: ChargeState): state is OpenedState {
  const isOver = isPaid(state.status) || state.isReplaced || state.withdrawn !== undefined
  return isOpened(state) && (state.minted !== undefined || isOver)
}
