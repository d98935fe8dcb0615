/** One phase, one face. The switch is exhaustive: a new phase without a view does not compile. */
import {html, nothing} from 'lit'
import type {ViewState} from '../core/phase.js'
import type {PaymentPanel, PaymentViewState} from './payment/payment-panel.js'
import type {AssetPicker} from './asset-picker/asset-picker.js'
import {skeleton} from './views/skeleton.js'
import {unavailable} from './views/unavailable.js'
import {heading, type Renderable, type ViewContext} from './views/context.js'

/** What draws the phases that are not drawn here, once it is there. */
export interface LazyViews {
  readonly assetPicker: Pick<AssetPicker, 'render'> | null
  readonly payment: Pick<PaymentPanel, 'render'> | null
}

/** List and desk come late. Until they are there, or if they cannot be had, their phases have at least a heading. */
export function renderPhase(
  view: ViewContext,
  scene: ViewState,
  {assetPicker, payment}: LazyViews,
): Renderable {
  switch (scene.phase) {
    case 'idle':
      return nothing
    case 'unavailable':
      return unavailable(view, scene.reason, scene.chargeId)
    case 'loading':
    case 'choosing':
    case 'quoting':
      return assetPicker && scene.phase !== 'loading'
        ? assetPicker.render(view, scene)
        : html`${heading(view.translation.status[scene.phase])} ${skeleton()}`
    case 'paying':
    case 'confirming':
    case 'underpaid':
    case 'paid':
    case 'overpaid':
    case 'expired':
    case 'cancelled':
      return payment ? payment.render(view, scene) : heading(view.translation.status[scene.phase])
  }
}

/** Before there are words: nothing is said, and nothing of another language is seen. */
export const busyPlaceholder = html`<div part="base" aria-busy="true">
  <div class="view">
    <p class="blank"></p>
    ${skeleton()}
  </div>
</div>`

/** Whether it is the desk that draws this. */
export function isPaymentPhase(scene: ViewState): scene is PaymentViewState {
  switch (scene.phase) {
    case 'idle':
    case 'loading':
    case 'unavailable':
    case 'choosing':
    case 'quoting':
      return false
    default:
      return true
  }
}
