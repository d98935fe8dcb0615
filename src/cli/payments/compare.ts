/** Compares the ledger with the service: each confirmed payment of each charge. */
import {isPaid, type ObservedPayment} from '../../contract/index.js'
import type {ChargeDocument} from '../../server/charges/document.js'
import {sameMoney} from '../../server/checkout/money.js'
import {toObservedPayment} from '../../server/checkout/status.js'
import {listTransfers, paymentKey} from '../../server/checkout/transfers.js'
import {ServiceError} from '../../server/errors.js'
import type {LedgerPayment} from '../../server/ledger/ledger-payment.js'
import type {ServiceClient} from '../../server/service/client.js'

type Reads = Pick<ServiceClient, 'getCharge' | 'getCryptoCharge'>

/**
 * Returns a line for each difference. Rejects with `ServiceError` when the service cannot be read.
 *
 * @param rows of the ledger for this charge
 */
export async function differences(
  service: Reads,
  chargeId: string,
  document: ChargeDocument | undefined,
  rows: readonly LedgerPayment[],
): Promise<string[]> {
  const found = await readPayments(service, chargeId, document)
  if (!found) return [`${chargeId}: the service does not know this charge`]
  const ours = rows.filter(({status, transactionId}) => status === 'confirmed' && transactionId !== undefined)
  const left = new Set(ours)
  const lines: string[] = []
  for (const payment of found.theirs) {
    const own =
      [...left].find(row => isSame(row, payment)) ?? [...left].find(row => keyOf(row) === paymentKey(payment))
    if (own) left.delete(own)
    if (!own) lines.push(`${describe(chargeId, payment)} is at the service, and not in the ledger`)
    else if (!isSame(own, payment))
      lines.push(`${describe(chargeId, payment)} at the service is ${own.local.amount} in the ledger`)
  }
  for (const {transactionId = '', network = '', local} of left)
    lines.push(
      `${describe(chargeId, {transactionId, network, local})} is in the ledger, and not at the service`,
    )
  if (found.isPaidThere && rows.length === 0)
    lines.push(`${chargeId}: the service says that it is paid, and the ledger has no payment`)
  return lines
}

function isSame(row: LedgerPayment, payment: ObservedPayment): boolean {
  return (
    keyOf(row) === paymentKey(payment) && row.amount === payment.amount && sameMoney(row.local, payment.local)
  )
}

function keyOf({network = '', transactionId = '', currency = ''}: LedgerPayment): string {
  return paymentKey({network, transactionId, currency})
}

/** The confirmed payments; undefined when the service does not know the charge. */
async function readPayments(
  service: Reads,
  chargeId: string,
  document: ChargeDocument | undefined,
): Promise<{theirs: ObservedPayment[]; isPaidThere: boolean} | undefined> {
  const cryptoChargeId = document?.minted?.cryptoChargeId ?? document?.archived?.cryptoChargeId
  try {
    const charge = await service.getCharge(chargeId)
    const wallet = cryptoChargeId === undefined ? undefined : await service.getCryptoCharge(cryptoChargeId)
    const lists = [wallet?.wallet.payments ?? [], charge.payments].map(list =>
      list.map(payment => toObservedPayment(payment, 0)),
    )
    const theirs = [...listTransfers({}, lists, false).values()].filter(({confirmed}) => confirmed)
    return {theirs, isPaidThere: isPaid(charge.status.value)}
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'charge_not_found') return undefined
    throw error
  }
}

function describe(
  chargeId: string,
  {transactionId, network, local}: Pick<ObservedPayment, 'transactionId' | 'network' | 'local'>,
): string {
  return `${chargeId}: transaction ${transactionId} on ${network} of ${local.amount} ${local.currency}`
}
