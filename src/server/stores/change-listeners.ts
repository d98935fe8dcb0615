type Listener = () => void

/** `onGap` is called when the connection begins to report changes, because earlier ones may have been missed. */
export type Connect = (onChange: (chargeId: string) => void, onGap: () => void) => () => void

/** Those who wait for changes of a charge, and the connection that reports changes while anybody waits. */
export class ChangeListeners {
  readonly #ofCharge = new Map<string, Set<Listener>>()
  #disconnect: (() => void) | undefined

  /** @param connect opens one connection for all charges, and returns a function that closes it */
  constructor(readonly connect: Connect = () => () => undefined) {}

  /** As `Store.subscribe`. */
  subscribe(chargeId: string, onChange: Listener): () => void {
    const listeners = this.#ofCharge.get(chargeId) ?? new Set()
    this.#ofCharge.set(chargeId, listeners.add(onChange))
    this.#disconnect ??= this.connect(
      id => this.notify(id),
      () => this.#notifyAll(),
    )
    return () => {
      listeners.delete(onChange)
      if (listeners.size === 0) this.#ofCharge.delete(chargeId)
      if (this.#ofCharge.size > 0) return
      // An open connection would keep the process running.
      this.#disconnect?.()
      this.#disconnect = undefined
    }
  }

  notify(chargeId: string): void {
    for (const onChange of [...(this.#ofCharge.get(chargeId) ?? [])]) onChange()
  }

  #notifyAll(): void {
    for (const chargeId of [...this.#ofCharge.keys()]) this.notify(chargeId)
  }
}
