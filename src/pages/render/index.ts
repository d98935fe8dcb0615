/**
 * Entry point `crypto-checkout/render`: the element's own views as HTML, for `checkout.render` and for the page without a
 * script. The build contains a copy of lit, for Node: it needs no DOM, on any runtime. The result is text, so the copy meets
 * no other.
 */
import type {Checkout} from '../../contract/checkout.js'
import {advance, type State} from '../../core/advance.js'
import {secondsLeft} from '../../core/countdown.js'
import {viewStateOf} from '../../core/phase.js'
import {assetPickerStyles} from '../../element/asset-picker/styles.js'
import {assetPickerView} from '../../element/asset-picker/view.js'
import {renderPhase} from '../../element/render-phase.js'
import {parseFirstCheckout} from '../../element/session/first-checkout.js'
import {styles} from '../../element/styles/index.js'
import {frame} from '../../element/views/frame.js'
import {orderSummary} from '../../element/views/order-summary.js'
import type {FullLanguage} from '../../translations/translation.js'
import type {Renderer} from '../renderer.js'
import {formStyle, formView} from './form-view.js'
import {contextOf, list, textOf} from './static-view.js'

export type {RenderedCheckout, Renderer} from '../renderer.js'

const style = [...styles, assetPickerStyles].map(({cssText}) => cssText).join('\n')

/** For the option `renderer` of `createCheckout`. */
export const renderer: Renderer = Object.assign(firstView, {formStyle, formView})

/**
 * Renders the list of assets. Where the customer has chosen one before, or the state is not certain, it renders the skeleton:
 * the page may come from a cache, and then it must not show an address.
 */
function firstView(json: string, chargeId: string, language: FullLanguage): ReturnType<Renderer> {
  const checkout = parseFirstCheckout(json, chargeId)
  const loading: State = {kind: 'loading', chargeId}
  const state = checkout ? advance(loading, {kind: 'opened', checkout}) : loading
  const {tag: locale, direction: dir} = language
  const time = Date.parse(checkout?.serverTime ?? '')
  const context = contextOf(language, time)
  const view = frame(
    {locale, dir},
    orderSummary(context, checkout, checkout && timeLeft(checkout, time)),
    renderPhase(context, viewStateOf(state), {
      assetPicker: {render: (...shown) => assetPickerView(...shown, list)},
      payment: null,
    }),
  )
  return {
    style,
    html: textOf(view),
    // Otherwise a text could end the script.
    json: checkout ? json.replaceAll('<', String.raw`\u003c`) : undefined,
  }
}

function timeLeft({expiresAt}: Checkout, now: number): number | null {
  return expiresAt === null ? null : secondsLeft({server: now, at: 0}, expiresAt, 0)
}
