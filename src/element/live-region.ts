import type {LitElement} from 'lit'
import type {Phase, ViewState} from '../core/phase.js'
import {problemText, type Translation} from './i18n/translation.js'

/** Announces changes to screen readers, and keeps the focus inside the element. */
export class LiveRegion {
  #hasLostFocus = false
  #phase: Phase | null = null
  #problemCode: string | undefined

  constructor(private readonly host: LitElement) {}

  hostUpdate(): void {
    this.#hasLostFocus = !!this.host.shadowRoot?.activeElement
  }

  /** `ignoresFocus`: the focus moves for another reason. */
  hostUpdated(ignoresFocus: boolean): void {
    this.#hasLostFocus &&= !this.host.shadowRoot?.activeElement && !ignoresFocus
  }

  /** A repeated text needs a change, else it is not announced. */
  announce(text: string): void {
    const region = this.host.renderRoot.querySelector('[role=status]')
    if (region) region.textContent = text === region.textContent ? `${text}\u00a0` : text
  }

  announceChange(viewState: ViewState, translation: Translation): void {
    this.#focusHeading(viewState.phase !== this.#phase)
    this.#phase = viewState.phase
    const refused = viewState.phase === 'choosing' ? viewState.refused : null
    const problem = refused?.problem ?? ('problem' in viewState ? viewState.problem : null)
    if (problem && problem.code !== this.#problemCode) this.announce(problemText(translation, problem))
    this.#problemCode = problem?.code
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
