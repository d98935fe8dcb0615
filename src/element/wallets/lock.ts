/**
 * Which charges a wallet was asked to pay in this browser, so that a second click, a reload, another tab or another quote
 * does not pay twice. Only a refusal and the customer's "send again" free a lock.
 */

/** The transaction hash, or one of the values below. */
export type Lock = string
export const FREE: Lock = ''
/** A wallet was asked to send, and has not returned a hash. Blank, because the hash is shown. */
export const ASKED: Lock = ' '

const PREFIX = 'crypto-checkout:sent:'
/** A lock that is older is removed with the next one. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Where the browser blocks the storage, which then throws, or it is full. Lasts until the page is left. */
const inMemory = new Map<string, Lock>()

export function readLock(chargeId: string): Lock {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(PREFIX + chargeId)
  } catch {
    // See above.
  }
  return stored?.replace(/^\d+ /, '') ?? inMemory.get(chargeId) ?? FREE
}

export function writeLock(chargeId: string, lock: Lock): void {
  inMemory.delete(chargeId)
  try {
    if (!lock) return localStorage.removeItem(PREFIX + chargeId)
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && parseInt(localStorage.getItem(key) ?? '') < Date.now() - KEPT_MS)
        localStorage.removeItem(key)
    localStorage.setItem(PREFIX + chargeId, `${Date.now()} ${lock}`)
  } catch {
    if (lock) inMemory.set(chargeId, lock)
  }
}

/** Locks a charge before a wallet is asked to send. Resolves to false when it is locked: of several tabs, one succeeds. */
export async function claim(chargeId: string): Promise<boolean> {
  const lock = () => {
    if (readLock(chargeId)) return false
    writeLock(chargeId, ASKED)
    return true
  }
  try {
    return await navigator.locks.request(PREFIX + chargeId, () => Promise.resolve(lock()))
  } catch {
    // Only secure contexts have Web Locks.
    return lock()
  }
}
