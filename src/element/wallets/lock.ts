/**
 * Which quotes a wallet was asked to pay in this tab, so that a second click or a reload does not pay twice. Only a refusal
 * and the customer's "send again" free a lock.
 */
import type {Quote} from '../../contract/checkout.js'

/** The transaction hash, or one of the values below. */
export type Lock = string
export const FREE: Lock = ''
/** A wallet was asked to send, and has not returned a hash. Blank, because the hash is shown. */
export const ASKED: Lock = ' '

/** Where the browser blocks the storage, which then throws, or it is full. Lasts until the page is left. */
const inMemory = new Map<string, Lock>()

export function readLock(quote: Quote): Lock {
  const key = keyOf(quote)
  let stored: Lock | null = null
  try {
    stored = sessionStorage.getItem(key)
  } catch {
    // See above.
  }
  return stored ?? inMemory.get(key) ?? FREE
}

export function writeLock(quote: Quote, lock: Lock): void {
  const key = keyOf(quote)
  try {
    sessionStorage.setItem(key, lock)
  } catch {
    inMemory.set(key, lock)
  }
}

export function keyOf({address, baseUnits}: Quote): string {
  return `crypto-checkout:sent:${address}:${baseUnits}`
}
