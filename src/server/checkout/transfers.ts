/**
 * Which listed payments are the same transfer. The service lists a payment in the payment charge, in the crypto charge, or in
 * both, and names no identity. A transfer is identified by its network, transaction id and currency, whatever their letter
 * case. One transaction may pay twice: two entries with different amounts in one list are two transfers. Pure.
 */
import type {ObservedPayment} from '../../contract/index.js'

type Identified = Pick<ObservedPayment, 'network' | 'transactionId' | 'currency'>

/** The key of what is paid without a listed payment. */
export const UNLISTED = ''

/** The key of the first transfer with this identity. */
export function paymentKey({network, transactionId, currency}: Identified): string {
  return `${network}:${transactionId}:${currency}`.toLowerCase()
}

/**
 * The union of the lists, by key.
 *
 * @param recorded the payments of before, which keep their keys
 * @param areRepeatsPayments two equal entries of one list are two transfers
 */
export function listTransfers(
  recorded: Readonly<Record<string, ObservedPayment>>,
  lists: readonly (readonly ObservedPayment[])[],
  areRepeatsPayments: boolean,
): ReadonlyMap<string, ObservedPayment> {
  const transfers = new Map<string, ObservedPayment[]>()
  for (const list of lists)
    for (const [identity, listed] of groupByIdentity(list)) {
      const entries = areRepeatsPayments ? listed : withoutRepeats(listed)
      transfers.set(identity, merge(transfers.get(identity) ?? [], entries))
    }
  const keyed = new Map<string, ObservedPayment>()
  for (const [identity, listed] of transfers) {
    const known = keysOf(identity, recorded)
    for (const {payment, index} of pairUp(
      known.map(key => recorded[key]),
      listed,
    ))
      keyed.set(known[index] ?? keyAt(identity, index), payment)
  }
  return keyed
}

function groupByIdentity(list: readonly ObservedPayment[]): ReadonlyMap<string, ObservedPayment[]> {
  const groups = new Map<string, ObservedPayment[]>()
  for (const payment of list) {
    const key = paymentKey(payment)
    groups.set(key, [...(groups.get(key) ?? []), payment])
  }
  return groups
}

/** Of equal entries, a confirmed one. */
function withoutRepeats(entries: readonly ObservedPayment[]): ObservedPayment[] {
  const distinct = new Map<string, ObservedPayment>()
  for (const entry of entries) if (!distinct.get(entry.amount)?.confirmed) distinct.set(entry.amount, entry)
  return [...distinct.values()]
}

/** Both lists have the transfer, or one of them. A confirmed entry counts. */
function merge(before: readonly ObservedPayment[], listed: readonly ObservedPayment[]): ObservedPayment[] {
  const merged = [...before]
  for (const {payment, index} of pairUp(before, listed))
    if (!merged[index]?.confirmed)
      merged[index] = merged[index] && !payment.confirmed ? merged[index] : payment
  return merged
}

/** Gives each listed entry the place of an equal one, else of another unconfirmed one, else a place at the end. */
function pairUp(
  places: readonly (ObservedPayment | undefined)[],
  listed: readonly ObservedPayment[],
): {readonly payment: ObservedPayment; readonly index: number}[] {
  const free = new Set(places.keys())
  let next = places.length
  const take = (isFit: (place: ObservedPayment | undefined) => boolean): number | undefined => {
    const index = [...free].find(index => isFit(places[index]))
    if (index !== undefined) free.delete(index)
    return index
  }
  const equal = listed.map(payment => ({payment, index: take(place => place?.amount === payment.amount)}))
  return equal.map(({payment, index}) => ({
    payment,
    index: index ?? take(place => !place?.confirmed || !payment.confirmed) ?? next++,
  }))
}

function keysOf(identity: string, recorded: Readonly<Record<string, unknown>>): string[] {
  const keys: string[] = []
  while (keyAt(identity, keys.length) in recorded) keys.push(keyAt(identity, keys.length))
  return keys
}

function keyAt(identity: string, index: number): string {
  return index === 0 ? identity : `${identity} #${index + 1}`
}
