let before: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop of its own: when a read ends for which hundreds of webhooks wait, customers are answered
 * in between. Resolves at once where there is no `setImmediate`, as on Workers.
 */
export function ownTurn(): Promise<void> {
  if (!('setImmediate' in globalThis)) return Promise.resolve()
  before = before.then(() => new Promise(resolve => void setImmediate(resolve)))
  return before
}
