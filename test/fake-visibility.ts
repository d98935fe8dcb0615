import type {PageVisibility} from '../src/core/poller.js'

/** Page visibility that a test sets. */
export class FakeVisibility implements PageVisibility {
  #isVisible = true
  readonly #listeners = new Set<() => void>()

  isVisible(): boolean {
    return this.#isVisible
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  change(isVisible = this.#isVisible): void {
    this.#isVisible = isVisible
    for (const changed of this.#listeners) changed()
  }

  get listeners(): number {
    return this.#listeners.size
  }
}
