/**
 * The manners of a `modal` checkout, loaded when it is one: where the focus goes and comes back to, that the page behind
 * stands still, and that nobody leaves by accident who should not. The dialog itself is the browser's own.
 * What is asked about, and why, is in docs/decisions/0008-leaving-the-dialog.md.
 */
import type {ViewState} from '../../core/phase.js'
import {dialogStyles} from './styles.js'

export interface DialogHost {
  readonly root: ShadowRoot
  viewState(): ViewState
  isOpen(): boolean
  /** The customer leaves. */
  leave(): void
}

export class DialogController {
  #dialog: HTMLDialogElement | null = null
  #shown: HTMLDialogElement | null = null
  #opener: HTMLElement | null = null
  #backdropPressed = false
  readonly #scrollLock = new CSSStyleSheet()

  constructor(private readonly host: DialogHost) {
    const {root} = host
    if (dialogStyles.styleSheet)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, dialogStyles.styleSheet]
  }

  /** After each drawing, and when the element has left the page. */
  hostUpdated(): void {
    const {host} = this
    const dialog = host.root.querySelector('dialog')
    if (dialog && dialog !== this.#dialog) this.#listen(dialog)
    this.#dialog = dialog
    const isOpen = host.isOpen() && !!dialog?.isConnected
    if (!isOpen || !this.#needsConfirmation(true)) this.#confirmation?.close()
    if (!isOpen) dialog?.close()
    // Not when the browser has closed it, which it says a little later.
    else if (dialog && dialog !== this.#shown) this.#show(dialog)
    this.#shown = isOpen ? dialog : null
    this.#lockScroll(isOpen)
    if (!isOpen) this.#restoreFocus()
  }

  /** By the button, or without meaning to. */
  leave(isAccident: boolean): void {
    if (this.#needsConfirmation(isAccident)) this.#confirmation?.showModal()
    else this.host.leave()
  }

  get #confirmation(): HTMLDialogElement | null {
    return this.host.root.querySelector<HTMLDialogElement>('[part=leave-dialog]')
  }

  #needsConfirmation(isAccident: boolean): boolean {
    const viewState = this.host.viewState()
    if (!this.#confirmation || !('checkout' in viewState) || !viewState.checkout.payable) return false
    return viewState.checkout.status === 'underpaid' || (isAccident && viewState.phase === 'paying')
  }

  /** The heading says what this is, and opens no keyboard on a phone, as the search field would. */
  #show(dialog: HTMLDialogElement): void {
    this.#opener = focused()
    dialog.showModal()
    this.host.root.querySelector<HTMLElement>('[part=status]')?.focus()
  }

  /** The browser does it too, but not for a dialog that was removed. */
  #restoreFocus(): void {
    if (document.activeElement === document.body) this.#opener?.focus()
    this.#opener = null
  }

  /** A style sheet of our own can be taken away again, whatever the page has changed meanwhile. */
  #lockScroll(isOpen: boolean): void {
    const sheet = this.#scrollLock
    const others = document.adoptedStyleSheets.filter(other => other !== sheet)
    if (isOpen !== (others.length === document.adoptedStyleSheets.length)) return
    if (isOpen) {
      // What was left of the scroll bar's place stays left, so that the page does not move sideways.
      const hasBar = innerWidth > document.documentElement.clientWidth
      sheet.replaceSync(`html{overflow:hidden!important;${hasBar ? 'scrollbar-gutter:stable' : ''}}`)
    }
    document.adoptedStyleSheets = isOpen ? [...others, sheet] : others
  }

  #listen(dialog: HTMLDialogElement): void {
    // A gesture of the system closes in the end, however often one asks.
    dialog.addEventListener('cancel', event => this.#preventClose(event))
    // Before the browser sees it: where Escape is pressed twice, it takes both dialogs away.
    dialog.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (this.#confirmation?.open) {
        event.preventDefault()
        this.#confirmation.close()
      } else this.#preventClose(event)
    })
    dialog.addEventListener('pointerdown', ({target}) => {
      this.#backdropPressed = target === dialog
    })
    // Not when somebody selects a text and lets go beside the dialog.
    dialog.addEventListener('click', ({target}) => {
      if (target === dialog && this.#backdropPressed) this.leave(true)
    })
  }

  #preventClose(event: Event): void {
    if (!event.cancelable || !this.#needsConfirmation(true)) return
    event.preventDefault()
    this.#confirmation?.showModal()
  }
}

/** What has the focus, through shadow roots. */
function focused(): HTMLElement | null {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found instanceof HTMLElement ? found : null
}
