/** Long enough for a person to see what has appeared under the finger. */
const NEW_MS = 500

/** Knows whether the main action of a view has just appeared, so that a click on what was there before does not pay. */
export class MainAction {
  readonly #seenAt = new WeakMap<Element, number>()

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number) {}

  hostUpdated(root: ParentNode): void {
    for (const action of root.querySelectorAll('.primary'))
      if (!this.#seenAt.has(action)) this.#seenAt.set(action, this.now())
  }

  isNew(control: Element): boolean {
    return this.now() - (this.#seenAt.get(control) ?? -Infinity) < NEW_MS
  }
}
