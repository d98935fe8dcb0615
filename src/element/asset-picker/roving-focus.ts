/**
 * The keys of a list of buttons, as people expect them of a list box: Tab goes to one of them and then on, arrows, Home,
 * End and typing lead to the others. Moving never chooses, since choosing has an address activated. They are buttons
 * nevertheless, because they act at once, and because every screen reader on every phone knows what to do with one.
 */
import type {Clock} from '../../contract/clock.js'

/** Milliseconds after which typing begins anew. */
const TYPEAHEAD_MS = 700

export class RovingFocus {
  #tabStop: HTMLElement | null = null
  #typed = ''
  #typedAt = -Infinity

  constructor(private readonly time: Pick<Clock, 'now'>) {}

  /** After each drawing: exactly one can be reached with Tab. */
  hostUpdated(list: Element | null): void {
    const rows = list ? rowsOf(list) : []
    if (!this.#tabStop || !rows.includes(this.#tabStop)) this.#tabStop = rows[0] ?? null
    for (const row of rows) row.tabIndex = row === this.#tabStop ? 0 : -1
  }

  readonly onFocusin = ({currentTarget, target}: Event): void => {
    if (!(currentTarget instanceof Element) || !(target instanceof HTMLElement)) return
    this.#setTabStop(currentTarget, target)
  }

  readonly onKeydown = (event: KeyboardEvent): void => {
    const {currentTarget, target, key} = event
    if (!(currentTarget instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return
    const rows = rowsOf(currentTarget)
    const at = rows.findIndex(row => row === target)
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
    }
    const row = key in moves ? rows[moves[key] ?? at] : this.#typedRow(event, rows, at)
    if (!row) return
    event.preventDefault()
    row.focus()
    // A window that is not in front tells of no focus.
    this.#setTabStop(currentTarget, row)
  }

  /** Firefox chooses when the space bar is let go. */
  readonly onKeyup = (event: KeyboardEvent): void => {
    if (event.key === ' ' && this.#isTyping() && this.#typed.endsWith(' ')) event.preventDefault()
  }

  #setTabStop(list: Element, row: HTMLElement): void {
    this.#tabStop = row
    this.hostUpdated(list)
  }

  #typedRow(event: KeyboardEvent, rows: readonly HTMLElement[], at: number): HTMLElement | undefined {
    const {key} = event
    if (key.length !== 1) return undefined
    const typed = (this.#isTyping() ? this.#typed : '') + key.toLowerCase()
    // The same letter again means the next one with it.
    const text = typed.replace(/^(.)\1+$/, '$1')
    const from = text.length > 1 ? at : at + 1
    const row = [...rows.slice(from), ...rows.slice(0, from)].find(other => begins(other, text))
    // A space chooses, unless it stands in the middle of a name.
    if (key === ' ' && !row) return undefined
    this.#typed = typed
    this.#typedAt = this.time.now()
    return row
  }

  #isTyping(): boolean {
    return this.time.now() - this.#typedAt < TYPEAHEAD_MS
  }
}

function rowsOf(list: Element): HTMLElement[] {
  return [...list.querySelectorAll('button')]
}

/** By its symbol or by its name. */
function begins(row: HTMLElement, text: string): boolean {
  return [...row.querySelectorAll('.name > *')].some(name => name.textContent.toLowerCase().startsWith(text))
}
