import type {Checkout} from '../contract/checkout.js'
import type {ViewState} from '../core/phase.js'
import type {FullLanguage} from '../translations/translation.js'

/** `style` and `html` are for the element's shadow root, `json` is for a `<script>` in the element. */
export interface RenderedCheckout {
  readonly style: string
  readonly html: string
  /** Undefined where `html` is the skeleton. */
  readonly json: string | undefined
}

/** `renderer` of `crypto-checkout/render`, which the server does not import: not every server needs it. */
export interface Renderer {
  /**
   * The first view of a checkout.
   *
   * @param json the response of the proxy to the opening of the charge
   */
  (json: string, chargeId: string, language: FullLanguage): RenderedCheckout
  /** The styles of `formView`, for a form with the class `checkout` and the attribute `phase`. */
  readonly formStyle: string
  /**
   * A view as the content of a form, for a page without a script. The names and values of its buttons: `pair` with a
   * `pairKey`, `asset` with an id, `part`, `back`, and none for opening the charge.
   *
   * @param checkout null where it is not known
   */
  formView(viewState: ViewState, checkout: Checkout | null, language: FullLanguage): string
}
