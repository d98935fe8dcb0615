/** Compares the ledger with the service: each confirmed payment of each charge. */
import {add, compare, decimal, isPaid, toText, type ObservedPayment} from '../../contract/index.js'
import {sameMoney} from '../../server/checkout/money.js'
import {toObservedPayment} from '../../server/checkout/status.js'
import {ServiceError} from '../../server/errors.js'
import {paymentKey, type ChargeState} from '../../server/journal/state.js'
import type {LedgerCharge} from '../../server/ledger/ledger.js'
import type {ServiceClient} from '../../server/service/client.js'

/** Returns a line for each difference. Rejects with `ServiceError` when the service cannot be read. */
export async function differences(
  service: Pick<ServiceClient, 'getCharge' | 'getCryptoCharge'>,
  {chargeId, state}: LedgerCharge,
): Promise<string[]> {
  const found = await readPayments(service, chargeId, state)
  if (!found) return [`${chargeId}: the service does not know this charge`]
  const {theirs, isPaidThere} = found
  if (state.archived) return compareTotal(chargeId, state.archived.paid.amount, theirs)
  const ours = new Map([...state.payments].filter(([, {confirmed}]) => confirmed))
  const lines: string[] = []
  for (const [key, payment] of theirs) {
    const own = ours.get(key)
    if (!own) lines.push(`${describe(chargeId, payment)} is at the service, and not in the ledger`)
    else if (!sameMoney(own.local, payment.local) || own.amount !== payment.amount)
      lines.push(`${describe(chargeId, payment)} at the service is ${own.local.amount} in the ledger`)
  }
  for (const [key, payment] of ours)
    if (!theirs.has(key))
      lines.push(`${describe(chargeId, payment)} is in the ledger, and not at the service`)
  if (isPaidThere && ours.size === 0 && lines.length === 0)
    lines.push(`${chargeId}: the service says that it is paid, and the ledger has no payment`)
  return lines
}

/** The confirmed payments, by key; undefined when the service does not know the charge. */
async function readPayments(
  service: Pick<ServiceClient, 'getCharge' | 'getCryptoCharge'>,
  chargeId: string,
  {minted, archived}: ChargeState,
): Promise<{theirs: Map<string, ObservedPayment>; isPaidThere: boolean} | undefined> {
  const cryptoChargeId = minted?.cryptoChargeId ?? archived?.cryptoChargeId
  try {
    const charge = await service.getCharge(chargeId)
    const wallet = cryptoChargeId === undefined ? undefined : await service.getCryptoCharge(cryptoChargeId)
    const payments = [...(wallet?.wallet.payments ?? []), ...charge.payments]
      .map(payment => toObservedPayment(payment, 0))
      .filter(({confirmed}) => confirmed)
    const theirs = new Map(payments.map(payment => [paymentKey(payment), payment]))
    return {theirs, isPaidThere: isPaid(charge.status.value)}
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'charge_not_found') return undefined
    throw error
  }
}

/** The total of a tombstone is rounded down to the places of the price. */
function compareTotal(
  chargeId: string,
  total: string,
  theirs: ReadonlyMap<string, ObservedPayment>,
): string[] {
  const sum = [...theirs.values()].map(({local}) => decimal(local.amount)).reduce(add, {units: 0n, scale: 0})
  const {scale, units} = decimal(total)
  const isSame = compare(decimal(total), sum) <= 0 && compare(sum, {units: units + 1n, scale}) < 0
  if (isSame) return []
  return [
    `${chargeId}: its payments are ${toText(sum)} at the service, and ${total} in the ledger (archived)`,
  ]
}

function describe(chargeId: string, {transactionId, network, local}: ObservedPayment): string {
  return `${chargeId}: transaction ${transactionId} on ${network} of ${local.amount} ${local.currency}`
}
