/** Payments as CSV (RFC 4180), for a spreadsheet that must not execute what a customer or the service wrote. */
import type {LedgerPayment} from '../../server/ledger/ledger-payment.js'

/** Name of the column → its cell. */
export const columns: Readonly<Record<string, (payment: LedgerPayment) => string | undefined>> = {
  time: ({time}) => time,
  order: ({orderId}) => orderId,
  charge: ({chargeId}) => chargeId,
  status: ({status}) => status,
  network: ({network}) => network,
  transaction: ({transactionId}) => transactionId,
  amount: ({amount}) => amount,
  asset: ({currency}) => currency,
  local: ({local}) => local.amount,
  currency: ({local}) => local.currency,
  price: ({price}) => price?.amount,
  due: ({due}) => due?.amount,
  vat: ({vat}) => vat,
  refund_address: ({refundAddress}) => refundAddress,
}

/** Yields the head and one line for each payment. */
export async function* toCsv(payments: AsyncIterable<LedgerPayment>): AsyncGenerator<string> {
  yield line(Object.keys(columns))
  for await (const payment of payments) yield line(Object.values(columns).map(cell => cell(payment) ?? ''))
}

function line(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/**
 * All cells are quoted: in some countries, a spreadsheet takes a semicolon for the separator. It then takes a line break in
 * a cell for the end of the row, and what follows a semicolon for a cell, so there are no line breaks.
 */
function quoted(cell: string): string {
  return `"${neutralised(cell.replaceAll(/[\r\n]+/g, ' ')).replaceAll('"', '""')}"`
}

/** What begins like a formula is text after an apostrophe. The wide forms count too, and white space is skipped. */
function neutralised(cell: string): string {
  return /^\s*[=+\-@＝＋－＠]|^\t/.test(cell) ? `'${cell}` : cell
}
