import type {LitElement} from 'lit'
import type {Phase, ViewState} from '../core/phase.js'
import type {Environment} from './environment.js'
import {problemText, readProblemText, type Translation} from '../translations/translation.js'

/** Between two announcements of the same problem. */
const REPEAT_MS = 60_000
/** Then a screen reader finds no old announcement at the end of the element. */
const CLEAR_AFTER_MS = 5_000

/** Announces changes to screen readers, and keeps the focus inside the element. */
export class LiveRegion {
  #hasLostFocus = false
  #phase: Phase | null = null
  #clearing = new AbortController()
  /** By code, when it was last announced. */
  readonly #announced = new Map<string, number>()

  constructor(private readonly host: LitElement & {readonly environment: Pick<Environment, 'clock'>}) {}

  hostUpdate(): void {
    this.#hasLostFocus = !!this.host.shadowRoot?.activeElement
  }

  /** `ignoresFocus`: the focus moves for another reason. */
  hostUpdated(ignoresFocus: boolean): void {
    this.#hasLostFocus &&= !this.host.shadowRoot?.activeElement && !ignoresFocus
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

  announceChange(viewState: ViewState, translation: Translation): void {
    this.#focusHeading(viewState.phase !== this.#phase)
    this.#phase = viewState.phase
    const refused = viewState.phase === 'choosing' ? viewState.refused : null
    const problem = refused?.problem ?? ('problem' in viewState ? viewState.problem : null)
    const now = this.host.environment.clock.now()
    if (!problem || now - (this.#announced.get(problem.code) ?? -Infinity) < REPEAT_MS) return
    this.#announced.set(problem.code, now)
    const isRead = !refused && viewState.phase !== 'unavailable'
    this.announce((isRead ? readProblemText : problemText)(translation, problem))
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
