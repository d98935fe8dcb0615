import type {ViewState} from '../../core/phase.js'
import {adopt} from '../styles/index.js'
import type {ElementLike} from '../views/context.js'
import {dialogStyles} from './styles.js'

export interface DialogHost {
  readonly element: ElementLike
  viewState(): ViewState
}

/**
 * The behaviour of a `modal` checkout around the native `<dialog>`: focus, scroll lock, and a confirmation before
 * leaving an open payment. A lazy chunk. The rules are in docs/decisions/0008-leaving-the-dialog.md.
 */
export class DialogController {
  #dialog: HTMLDialogElement | null = null
  #displayed: HTMLDialogElement | null = null
  #opener: HTMLElement | null = null
  #backdropPressed = false
  readonly #scrollLock = new CSSStyleSheet()

  constructor(private readonly host: DialogHost) {
    adopt(dialogStyles, host.element.renderRoot)
  }

  /** Also called when the element was disconnected. */
  hostUpdated(): void {
    const {element} = this.host
    const dialog = element.renderRoot.querySelector('dialog')
    if (dialog && dialog !== this.#dialog) this.#listen(dialog)
    this.#dialog = dialog
    const isOpen = element.modal && element.open && !!dialog?.isConnected
    if (!isOpen || !this.#needsConfirmation(true)) setOpen(this.#confirmation, false)
    if (!isOpen) setOpen(dialog, false)
    // Only once: the browser may have closed it already, and fires `close` later.
    else if (dialog && dialog !== this.#displayed) this.#show(dialog)
    this.#displayed = isOpen ? dialog : null
    this.#lockScroll(isOpen)
    if (!isOpen) this.#restoreFocus()
  }

  /** `isAccident`: a backdrop press or Escape, which needs confirmation in more cases than the close button. */
  leave(isAccident: boolean): void {
    if (this.#needsConfirmation(isAccident)) setOpen(this.#confirmation, true)
    else this.host.element.close()
  }

  get #confirmation(): HTMLDialogElement | null {
    return this.host.element.renderRoot.querySelector<HTMLDialogElement>('[part=leave-dialog]')
  }

  #needsConfirmation(isAccident: boolean): boolean {
    const viewState = this.host.viewState()
    if (!this.#confirmation || !('checkout' in viewState) || !viewState.checkout.payable) return false
    return viewState.checkout.status === 'underpaid' || (isAccident && viewState.phase === 'paying')
  }

  /** Focuses the heading, because the search field would open the keyboard of a phone. */
  #show(dialog: HTMLDialogElement): void {
    this.#opener = focusedElement()
    setOpen(dialog, true)
    this.host.element.renderRoot.querySelector<HTMLElement>('[part=status]')?.focus()
  }

  /** The browser restores the focus too, but not for a dialog that was removed. */
  #restoreFocus(): void {
    if (document.activeElement === document.body) this.#opener?.focus()
    this.#opener = null
  }

  /** Adopts a style sheet, because removing it later leaves the page's own changes alone. */
  #lockScroll(isOpen: boolean): void {
    const sheet = this.#scrollLock
    // As in jsdom.
    if (!('adoptedStyleSheets' in document)) return
    const others = document.adoptedStyleSheets.filter(other => other !== sheet)
    const isLocked = others.length < document.adoptedStyleSheets.length
    if (isOpen === isLocked) return
    if (isOpen) {
      // Keeps the space of the scroll bar, so that the page does not move sideways.
      const hasScrollbar = innerWidth > document.documentElement.clientWidth
      sheet.replaceSync(`html{overflow:hidden!important;${hasScrollbar ? 'scrollbar-gutter:stable' : ''}}`)
    }
    document.adoptedStyleSheets = isOpen ? [...others, sheet] : others
  }

  #listen(dialog: HTMLDialogElement): void {
    // Not cancelable for a repeated close request: the dialog then closes without confirmation.
    dialog.addEventListener('cancel', event => this.#preventClose(event))
    // On keydown, before the browser's own handling: a second Escape would close both dialogs.
    dialog.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (this.#confirmation?.open) {
        event.preventDefault()
        setOpen(this.#confirmation, false)
      } else this.#preventClose(event)
    })
    dialog.addEventListener('pointerdown', ({target}) => {
      this.#backdropPressed = target === dialog
    })
    // The dialogs of libraries cancel what scrolls anything but themselves.
    for (const type of ['wheel', 'touchmove'])
      dialog.addEventListener(type, event => event.stopPropagation(), {passive: true})
    // A click that began inside the dialog, such as a text selection, does not close it.
    dialog.addEventListener('click', ({target}) => {
      if (target === dialog && this.#backdropPressed) this.leave(true)
    })
  }

  #preventClose(event: Event): void {
    if (!event.cancelable || !this.#needsConfirmation(true)) return
    event.preventDefault()
    setOpen(this.#confirmation, true)
  }
}

/** Where no dialog can be modal, as in jsdom, it opens in its place in the page. */
function setOpen(dialog: HTMLDialogElement | null, isOpen: boolean): void {
  if (!dialog) return
  if (!('showModal' in HTMLDialogElement.prototype)) dialog.open = isOpen
  else if (isOpen) dialog.showModal()
  else dialog.close()
}

/** The focused element, also inside shadow roots. */
function focusedElement(): HTMLElement | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element instanceof HTMLElement ? element : null
}
