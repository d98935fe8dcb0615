/**
 * What wallets were asked to send for a charge in this browser, so that a second click, a reload, another tab, another pair or
 * another quote does not pay twice. A refusal frees only its own request. A hash is freed only by the customer's "send again",
 * or when the checkout lists its payment, also as dropped.
 */
import type {Checkout} from '../../contract/checkout.js'
import type {Pair} from '../../core/advance.js'

/** One request to a wallet to send. */
export interface Lock {
  readonly requestId: string
  /** Of the transaction; absent while the wallet has not answered, or when nobody knows whether it sent. */
  readonly hash?: string
  readonly pair: Pair
  /** The name of the wallet. */
  readonly wallet: string
  /** Milliseconds since 1970, by the clock of the browser. */
  readonly at: number
}

const PREFIX = 'crypto-checkout:sent:'
/** Locks that are older are removed with the next one. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Where the browser blocks the storage, which then throws, or it is full. Lasts until the page is left. */
const inMemory = new Map<string, readonly Lock[]>()

/** The requests that may still pay, the latest last. Empty on a server, which has no storage. */
export function openLocks({chargeId, payments}: Pick<Checkout, 'chargeId' | 'payments'>): readonly Lock[] {
  return readLocks(chargeId).filter(
    ({hash}) => !payments.some(({transactionId}) => transactionId.toLowerCase() === hash?.toLowerCase()),
  )
}

/** Adds a lock before a wallet is asked to send. Resolves to false when there is one: of several tabs, one succeeds. */
export function claim(checkout: Checkout, lock: Lock): Promise<boolean> {
  return exclusively(checkout.chargeId, () => {
    if (openLocks(checkout).length > 0) return false
    writeLocks(checkout.chargeId, [lock])
    return true
  })
}

/** The wallet has sent. Also after "send again" freed the request: it may still pay. */
export async function recordHash(chargeId: string, lock: Lock, hash: string): Promise<void> {
  await exclusively(chargeId, () => writeLocks(chargeId, [...without(chargeId, lock), {...lock, hash}]))
}

/** The wallet has certainly not sent. */
export async function free(chargeId: string, lock: Lock): Promise<void> {
  await exclusively(chargeId, () => writeLocks(chargeId, without(chargeId, lock)))
}

export async function freeAll(chargeId: string): Promise<void> {
  await exclusively(chargeId, () => writeLocks(chargeId, []))
}

function without(chargeId: string, {requestId}: Lock): Lock[] {
  return readLocks(chargeId).filter(other => other.requestId !== requestId)
}

function readLocks(chargeId: string): readonly Lock[] {
  // A full storage still has what was written before.
  const inPage = inMemory.get(chargeId) ?? []
  if (inPage.length > 0) return inPage
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + chargeId) ?? 'null')
    if (Array.isArray(stored)) return stored.filter(isLock)
  } catch {
    // See above. What another script has written is no lock.
  }
  return []
}

function isLock(value: unknown): value is Lock {
  return value instanceof Object && 'requestId' in value && 'pair' in value && value.pair instanceof Object
}

function writeLocks(chargeId: string, locks: readonly Lock[]): void {
  inMemory.delete(chargeId)
  try {
    removeOld()
    if (locks.length > 0) localStorage.setItem(PREFIX + chargeId, JSON.stringify(locks))
    else localStorage.removeItem(PREFIX + chargeId)
  } catch {
    inMemory.set(chargeId, locks)
  }
}

function removeOld(): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(PREFIX)) continue
    const isOld = readLocks(key.slice(PREFIX.length)).every(({at}) => at < Date.now() - KEPT_MS)
    if (isOld) localStorage.removeItem(key)
  }
}

/** One tab at a time. Only secure contexts have Web Locks. */
async function exclusively<Result>(chargeId: string, act: () => Result): Promise<Result> {
  let result: {readonly value: Result} | undefined
  const run = () => (result ??= {value: act()}).value
  try {
    return await navigator.locks.request(PREFIX + chargeId, () => Promise.resolve(run()))
  } catch {
    return run()
  }
}
