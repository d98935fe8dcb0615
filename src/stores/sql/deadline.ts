/**
 * The deadline of a statement, at its connection: after it, the connection is closed. A firewall that drops packets closes
 * nothing, so the other connections of that time may be dead too, and are closed instead of used again.
 */
export interface Connections<Client> {
  acquire(): Promise<Client>
  /** @param isDead close it instead of keeping it */
  release(client: Client, isDead: boolean): void
}

/** Shorter than the ten seconds after which a page stops waiting. */
export const TIMEOUT_MS = 5_000

export class DeadlineConnections<Client> {
  /** Connected since the last deadline that passed; undefined before the first one. */
  #alive: WeakSet<object> | undefined

  constructor(readonly connections: Connections<Client>) {}

  /** To be called for each new connection, before it is acquired. */
  connected(key: object): void {
    this.#alive?.add(key)
  }

  /** @param keyOf the object that `connected` gets */
  async use<Result>(
    signal: AbortSignal,
    keyOf: (client: Client) => object,
    act: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    const {connections} = this
    for (;;) {
      const client = await connections.acquire()
      const isDead = this.#alive?.has(keyOf(client)) === false
      if (isDead || signal.aborted) connections.release(client, isDead)
      if (signal.aborted) throw new Error('the statement came too late')
      if (isDead) continue
      const close = () => {
        this.#alive = new WeakSet()
        connections.release(client, true)
      }
      signal.addEventListener('abort', close)
      try {
        return await act(client)
      } finally {
        signal.removeEventListener('abort', close)
        if (!signal.aborted) connections.release(client, false)
      }
    }
  }
}
