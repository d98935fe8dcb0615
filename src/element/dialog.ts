/**
 * The manners of a `modal` checkout, loaded when it is one: where the focus goes and comes back to, that the page behind
 * stands still, and that nobody leaves by accident who should not. The dialog itself is the browser's own.
 * What is asked about, and why, is in docs/decisions/0008-leaving-the-dialog.md.
 */
import type {Scene} from '../core/phase.js'
import {dialogStyles} from './styles/dialog.js'

export interface DialogHost {
  readonly root: ShadowRoot
  scene(): Scene
  isOpen(): boolean
  /** The customer leaves. */
  leave(): void
}

export class Dialog {
  #outer: HTMLDialogElement | null = null
  #shown: HTMLDialogElement | null = null
  #opener: HTMLElement | null = null
  #isPressedBeside = false
  readonly #stillness = new CSSStyleSheet()

  constructor(private readonly host: DialogHost) {
    const {root} = host
    if (dialogStyles.styleSheet)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, dialogStyles.styleSheet]
  }

  /** After each drawing, and when the element has left the page. */
  settle(): void {
    const {host} = this
    const outer = host.root.querySelector('dialog')
    if (outer && outer !== this.#outer) this.#listen(outer)
    this.#outer = outer
    const isOpen = host.isOpen() && !!outer?.isConnected
    if (!isOpen || !this.#shouldAsk(true)) this.#asking?.close()
    if (!isOpen) outer?.close()
    // Not when the browser has closed it, which it says a little later.
    else if (outer && outer !== this.#shown) this.#show(outer)
    this.#shown = isOpen ? outer : null
    this.#still(isOpen)
    if (!isOpen) this.#giveBack()
  }

  /** By the button, or without meaning to. */
  leave(isAccident: boolean): void {
    if (this.#shouldAsk(isAccident)) this.#asking?.showModal()
    else this.host.leave()
  }

  get #asking(): HTMLDialogElement | null {
    return this.host.root.querySelector<HTMLDialogElement>('[part=leave]')
  }

  #shouldAsk(isAccident: boolean): boolean {
    const scene = this.host.scene()
    if (!this.#asking || !('checkout' in scene) || !scene.checkout.payable) return false
    return scene.checkout.status === 'underpaid' || (isAccident && scene.phase === 'paying')
  }

  /** The heading says what this is, and opens no keyboard on a phone, as the search field would. */
  #show(outer: HTMLDialogElement): void {
    this.#opener = focused()
    outer.showModal()
    this.host.root.querySelector<HTMLElement>('[part=status]')?.focus()
  }

  /** The browser does it too, but not for a dialog that was removed. */
  #giveBack(): void {
    if (document.activeElement === document.body) this.#opener?.focus()
    this.#opener = null
  }

  /** A style sheet of our own can be taken away again, whatever the page has changed meanwhile. */
  #still(isOpen: boolean): void {
    const sheet = this.#stillness
    const others = document.adoptedStyleSheets.filter(other => other !== sheet)
    if (isOpen !== (others.length === document.adoptedStyleSheets.length)) return
    if (isOpen) {
      // What was left of the scroll bar's place stays left, so that the page does not move sideways.
      const hasBar = innerWidth > document.documentElement.clientWidth
      sheet.replaceSync(`html{overflow:hidden!important;${hasBar ? 'scrollbar-gutter:stable' : ''}}`)
    }
    document.adoptedStyleSheets = isOpen ? [...others, sheet] : others
  }

  #listen(outer: HTMLDialogElement): void {
    // A gesture of the system closes in the end, however often one asks.
    outer.addEventListener('cancel', event => this.#hold(event))
    // Before the browser sees it: where Escape is pressed twice, it takes both dialogs away.
    outer.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (this.#asking?.open) {
        event.preventDefault()
        this.#asking.close()
      } else this.#hold(event)
    })
    outer.addEventListener('pointerdown', ({target}) => {
      this.#isPressedBeside = target === outer
    })
    // Not when somebody selects a text and lets go beside the dialog.
    outer.addEventListener('click', ({target}) => {
      if (target === outer && this.#isPressedBeside) this.leave(true)
    })
  }

  #hold(event: Event): void {
    if (!event.cancelable || !this.#shouldAsk(true)) return
    event.preventDefault()
    this.#asking?.showModal()
  }
}

/** What has the focus, through shadow roots. */
function focused(): HTMLElement | null {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found instanceof HTMLElement ? found : null
}
