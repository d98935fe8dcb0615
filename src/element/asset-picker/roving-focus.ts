import type {Clock} from '../../contract/clock.js'

/** Milliseconds without a key after which type-ahead starts over. */
const TYPEAHEAD_MS = 700

/**
 * Keyboard navigation in a list of buttons, as in a listbox: the list is one tab stop; arrows, Home, End and typing move
 * the focus. Moving does not choose, because choosing activates an address. The controls are buttons, not options,
 * because they act at once and screen readers on phones support buttons better. The networks of an asset follow it: Enter
 * on the asset and Tab lead to them, Escape and the arrow to the start lead back.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/practices/keyboard-interface/#kbd_roving_tabindex
 */
export class RovingFocus {
  #tabStop: HTMLElement | null = null
  /** The focus moves to the networks that the next rendering shows. */
  #isEntering = false
  #typed = ''
  #typedAt = -Infinity

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Makes one asset reachable with Tab, and one of its networks if they are shown. */
  hostUpdated(list: Element | null): void {
    const buttons = list ? buttonsOf(list) : []
    if (!this.#tabStop || !buttons.includes(this.#tabStop)) this.#tabStop = buttons[0] ?? null
    const [asset, firstNetwork] = siblingsOf(this.#tabStop)
    const other = this.#tabStop === asset ? firstNetwork : asset
    for (const button of buttons) {
      const tabIndex = button === this.#tabStop || button === other ? 0 : -1
      if (button.tabIndex !== tabIndex || !button.hasAttribute('tabindex')) button.tabIndex = tabIndex
    }
    if (this.#isEntering) list?.querySelector<HTMLElement>('[part=network]:not([aria-disabled])')?.focus()
    this.#isEntering = false
  }

  /** A click of a keyboard has no pointer position to stay at. Before the button's own listener, which expands the asset. */
  readonly onClick = {
    capture: true,
    handleEvent: ({detail, target}: MouseEvent): void => {
      this.#isEntering = detail === 0 && target instanceof Element && target.matches('[aria-expanded=false]')
    },
  }

  readonly onFocusin = ({currentTarget, target}: Event): void => {
    if (!(currentTarget instanceof Element) || !(target instanceof HTMLElement)) return
    this.#setTabStop(currentTarget, target)
  }

  readonly onKeydown = (event: KeyboardEvent): void => {
    const {currentTarget, target, key} = event
    if (
      isComposing(event) ||
      !(currentTarget instanceof Element) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return
    const buttons = buttonsOf(currentTarget)
    const index = buttons.findIndex(button => button === target)
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: buttons.length - 1,
    }
    const button =
      key === 'Escape' ||
      key === (getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft')
        ? siblingsOf(target)[0]
        : key in moves
          ? buttons[moves[key] ?? index]
          : this.#typeahead(event, buttons, index)
    // On the asset itself, Escape closes a dialog.
    if (!button || button === target) return
    event.preventDefault()
    button.focus()
    // A window in the background fires no focusin event.
    this.#setTabStop(currentTarget, button)
  }

  /** Firefox clicks a button on keyup of the space bar. */
  readonly onKeyup = (event: KeyboardEvent): void => {
    if (event.key === ' ' && this.#isTyping() && this.#typed.endsWith(' ')) event.preventDefault()
  }

  #setTabStop(list: Element, button: HTMLElement): void {
    this.#tabStop = button
    this.hostUpdated(list)
  }

  #typeahead({key}: KeyboardEvent, buttons: readonly HTMLElement[], index: number): HTMLElement | undefined {
    if (key.length !== 1) return undefined
    const typed = (this.#isTyping() ? this.#typed : '') + key.toLowerCase()
    // A repeated letter moves to the next name that starts with it.
    const text = typed.replace(/^(.)\1+$/, '$1')
    const from = text.length > 1 ? index : index + 1
    const match = [...buttons.slice(from), ...buttons.slice(0, from)].find(button => matches(button, text))
    // A space clicks the button, unless it continues a name.
    if (key === ' ' && !match) return undefined
    this.#typed = typed
    this.#typedAt = this.clock.now()
    return match
  }

  #isTyping(): boolean {
    return this.clock.now() - this.#typedAt < TYPEAHEAD_MS
  }
}

/** A key of an input method, also the one that ends its composition. */
export function isComposing(event: KeyboardEvent): boolean {
  // Only this tells it in Safari.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.isComposing || event.keyCode === 229
}

function buttonsOf(list: Element): HTMLElement[] {
  return [...list.querySelectorAll('button')]
}

/** The asset of a button, and its networks if they are shown. */
function siblingsOf(button: EventTarget | null): HTMLElement[] {
  const item = button instanceof Element ? button.closest('[part=assets] > li') : null
  return item ? buttonsOf(item) : []
}

/** Whether the symbol or the name starts with the text. */
function matches(button: HTMLElement, text: string): boolean {
  return [...button.querySelectorAll('.name > *')].some(name =>
    name.textContent.toLowerCase().startsWith(text),
  )
}
