import type {Checkout} from '../contract/checkout.js'
import {parseFirstCheckout} from './session/first-checkout.js'

/** Beside what a server rendered is a script that keeps the last click in it, because the element is not yet defined. */
interface RenderedElement extends Element {
  readonly lastClick?: readonly [control: HTMLElement, click: MouseEvent]
}

/**
 * What a server rendered: the checkout as JSON in a child, and the view in the shadow root. The view stays as it is until
 * the element can render the same one, because the script may load before the texts of a language. The last click meanwhile
 * is repeated then.
 */
export class ServerView {
  /** Null if there is none, or if it cannot be used. */
  readonly checkout: Checkout | null
  #nodes: readonly ChildNode[]
  readonly #element: RenderedElement

  /** @param root before the first rendering */
  constructor(
    element: RenderedElement,
    private readonly root: ShadowRoot | DocumentFragment | HTMLElement,
    chargeId: string,
  ) {
    const script = element.querySelector(':scope > [type="application/json"]')
    this.checkout = script && parseFirstCheckout(script.textContent, chargeId)
    this.#element = element
    this.#nodes = [...root.childNodes]
    if (script && !this.checkout) this.remove()
  }

  get isShown(): boolean {
    return this.#nodes.length > 0
  }

  remove(): void {
    for (const node of this.#nodes) node.remove()
    this.#nodes = []
  }

  /** Replaces it in one task, so that nothing is painted in between, and keeps what the customer did. */
  replace(render: () => void): void {
    const {root} = this
    const {lastClick} = this.#element
    const clicked = lastClick && selectorOf(lastClick[0])
    const focused = root instanceof ShadowRoot ? root.activeElement : null
    const [top, typed] = [root.querySelector(LIST)?.scrollTop, root.querySelector('input')?.value]
    const {scrollY} = window
    this.remove()
    render()
    const [list, field] = [root.querySelector(LIST), root.querySelector('input')]
    if (field && typed) {
      field.value = typed
      field.dispatchEvent(new InputEvent('input'))
    }
    if (list && top) list.scrollTop = top
    if (focused instanceof HTMLElement)
      root.querySelector<HTMLElement>(selectorOf(focused))?.focus({preventScroll: true})
    // WebKit lays out the page when the focused control is removed, and it was not as high then.
    if (window.scrollY !== scrollY) window.scrollTo({top: scrollY, behavior: 'instant'})
    // After the update, because the click changes what it renders. Not by `click()`, which is taken for a key.
    if (clicked)
      queueMicrotask(() => root.querySelector(clicked)?.dispatchEvent(new MouseEvent('click', lastClick[1])))
  }
}

const LIST = '[part=assets]'

/** Of the same control in another rendering. */
function selectorOf(control: HTMLElement): string {
  const {asset} = control.dataset
  return asset === undefined
    ? `[part="${control.getAttribute('part')}"]`
    : `[data-asset="${CSS.escape(asset)}"]`
}
