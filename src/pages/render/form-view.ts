/** The element's views as the content of a form, for the page without a script. */
import {nothing} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {ViewState} from '../../core/phase.js'
import {assetPickerStyles} from '../../element/asset-picker/styles.js'
import {assetPickerView} from '../../element/asset-picker/view.js'
import type {PaymentContext} from '../../element/payment/context.js'
import {outcomeStyles} from '../../element/payment/outcome-styles.js'
import {outcome} from '../../element/payment/outcomes.js'
import {paying} from '../../element/payment/paying.js'
import {paymentStyles} from '../../element/payment/styles.js'
import {renderPhase} from '../../element/render-phase.js'
import {styles} from '../../element/styles/index.js'
import type {ViewContext} from '../../element/views/context.js'
import {frame} from '../../element/views/frame.js'
import {orderSummary} from '../../element/views/order-summary.js'
import {isSafeRedirect} from '../../element/views/safe-redirect.js'
import type {FullLanguage} from '../../translations/translation.js'
import {contextOf, ignore, list, textOf} from './static-view.js'

/** The element's styles without a shadow root: the form with the class `checkout` takes the place of the host. */
export const formStyle = [...styles, assetPickerStyles, paymentStyles, outcomeStyles]
  .map(({cssText}) => cssText)
  .join('\n')
  .replaceAll(/:host\(\s*((?:[^()]|\([^()]*\))*?)\s*\)/g, '.checkout$1')
  .replaceAll(':host', '.checkout')

/** @param checkout null where the proxy could not read it */
export function formView(viewState: ViewState, checkout: Checkout | null, language: FullLanguage): string {
  const context: ViewContext = {...contextOf(language, Date.parse(checkout?.serverTime ?? '')), isForm: true}
  const view = renderPhase(context, viewState, {
    assetPicker: {render: (...shown) => assetPickerView(...shown, list)},
    payment: {
      render: (base, shown) =>
        shown.phase === 'paying'
          ? paying(paymentContext(base, shown.checkout), shown, null, [])
          : outcome(paymentContext(base, shown.checkout), shown, []),
    },
  })
  const {tag: locale, direction: dir} = language
  // The time left would stand still.
  return textOf(frame({locale, dir}, checkout ? orderSummary(context, checkout, null) : nothing, view))
}

function paymentContext(base: ViewContext, {redirectUrl}: Checkout): PaymentContext {
  return {
    ...base,
    draw: null,
    qr: 'address',
    revision: 0,
    copyFeedback: null,
    redirectIn: null,
    isTouch: false,
    linkHint: null,
    exchangeFee: '',
    refund: {network: '', address: '', again: '', error: null, given: null, edit: ignore, send: ignore},
    returnUrl: redirectUrl && isSafeRedirect(redirectUrl) ? redirectUrl : null,
    ...{copy: ignore, switchQr: ignore, stopRedirect: ignore, setExchangeFee: ignore, linkOpened: ignore},
  }
}
