let before: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop of its own. Hundreds of requests may wait for one read, and other requests must
 * come in between when it ends. At once where there is no `setImmediate`, as on Workers.
 */
export function ownTurn(): Promise<void> {
  if (!('setImmediate' in globalThis)) return Promise.resolve()
  before = before.then(() => new Promise(resolve => void setImmediate(resolve)))
  return before
}
