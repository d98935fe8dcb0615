import type {LitElement} from 'lit'
import type {Phase} from '../core/phase.js'
import type {Environment} from './environment.js'

/** A notice that comes back within this time is not announced again. */
const REPEAT_MS = 60_000
/** Then a screen reader finds no old announcement at the end of the element. */
const CLEAR_AFTER_MS = 5_000

/** Announces changes to screen readers, and keeps the focus inside the element. */
export class LiveRegion {
  #hasLostFocus = false
  #phase: Phase | null = null
  #clearing = new AbortController()
  /** By their text, when notices were last on screen. */
  readonly #seen = new Map<string, number>()

  constructor(private readonly host: LitElement & {readonly environment: Pick<Environment, 'clock'>}) {}

  hostUpdate(): void {
    this.#hasLostFocus = this.#hasFocus
  }

  /** `ignoresFocus`: the focus moves for another reason. */
  hostUpdated(ignoresFocus: boolean): void {
    this.#hasLostFocus &&= !this.#hasFocus && !ignoresFocus
  }

  /** A pending sleep would keep the removed element in memory. */
  hostDisconnected(): void {
    this.#clearing.abort()
  }

  /** A repeated text needs a change, else it is not announced. */
  announce(text: string): void {
    const region = this.host.renderRoot.querySelector('[role=status]')
    if (!region) return
    this.#clearing.abort()
    const {signal} = (this.#clearing = new AbortController())
    region.textContent = text === region.textContent ? `${text}\u00a0` : text
    void this.host.environment.clock.sleep(CLEAR_AFTER_MS, signal).then(() => {
      if (!signal.aborted) region.textContent = ''
    })
  }

  /** Announces the heading of a new phase, or a notice that has appeared. */
  announceChange(phase: Phase): void {
    this.#focusHeading(phase !== this.#phase)
    this.#phase = phase
    const now = this.host.environment.clock.now()
    for (const {textContent: text} of this.host.renderRoot.querySelectorAll('[data-news]')) {
      if (now - (this.#seen.get(text) ?? -Infinity) >= REPEAT_MS) this.announce(text)
      this.#seen.set(text, now)
    }
  }

  /** Not `activeElement` of the shadow root, which throws in happy-dom when another shadow root has the focus. */
  get #hasFocus(): boolean {
    const {host} = this
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a removed element, the root lacks it
    return (host.getRootNode() as Partial<Document>).activeElement === host
  }

  /**
   * Moves the focus to the heading when the focused control was removed, else announces a new heading. Scrolls only to a
   * new heading.
   */
  #focusHeading(isNew: boolean): void {
    const heading = this.host.renderRoot.querySelector<HTMLElement>('[part=status]')
    if (!heading) return
    if (this.#hasLostFocus) heading.focus({preventScroll: !isNew})
    else if (isNew) this.announce(heading.textContent)
  }
}
