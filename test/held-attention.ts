import type {Attention} from '../src/core/watch.js'

/** A page that is seen, or not, as the test says. */
export class HeldAttention implements Attention {
  isVisible = true
  readonly #listeners = new Set<() => void>()

  visible(): boolean {
    return this.isVisible
  }

  listen(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Tells whoever listens. */
  change(isVisible = this.isVisible): void {
    this.isVisible = isVisible
    for (const changed of this.#listeners) changed()
  }

  get listeners(): number {
    return this.#listeners.size
  }
}
