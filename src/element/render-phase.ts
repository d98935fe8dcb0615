/** One view per phase. The switch is exhaustive: a phase without a view does not compile. */
import {html, nothing} from 'lit'
import type {ViewState} from '../core/phase.js'
import {browserProblem} from '../core/problems.js'
import type {AssetPicker} from './asset-picker/asset-picker.js'
import type {PaymentPanel, PaymentViewState} from './payment/payment-panel.js'
import type {Renderable, ViewContext} from './views/context.js'
import {heading} from './views/notices.js'
import {skeleton} from './views/skeleton.js'
import {unavailable} from './views/unavailable.js'

/** A view that throws leaves neither an amount nor an address on screen, and its events are dispatched all the same. */
export function renderSafely(render: () => Renderable, onError: () => Renderable): Renderable {
  try {
    return render()
  } catch (error) {
    console.error(error)
    return onError()
  }
}

/** In place of a view that throws. */
export function failedView(context: ViewContext, viewState: ViewState): Renderable {
  const order = 'checkout' in viewState ? viewState.checkout : {chargeId: ''}
  return unavailable(context, {kind: 'problem', problem: browserProblem('load_failed')}, order)
}

/** What renders the phases of the lazy chunks; null until loaded. */
interface PhaseViews {
  readonly assetPicker: Pick<AssetPicker, 'render'> | null
  readonly payment: Pick<PaymentPanel, 'render'> | null
}

/** Until a lazy chunk has loaded, or if it fails to load, its phases show their heading. */
export function renderPhase(
  context: ViewContext,
  viewState: ViewState,
  views: PhaseViews | null,
): Renderable {
  const {status} = context.translation
  switch (viewState.phase) {
    case 'idle':
      return nothing
    case 'unavailable':
      return unavailable(context, viewState.reason, viewState)
    case 'loading':
    case 'choosing':
    case 'quoting':
      return views?.assetPicker && viewState.phase !== 'loading'
        ? views.assetPicker.render(context, viewState)
        : html`${heading(status[viewState.phase])} ${skeleton()}`
    case 'paying':
    case 'confirming':
    case 'underpaid':
    case 'paid':
    case 'overpaid':
    case 'expired':
    case 'cancelled':
      return views?.payment?.render(context, viewState) ?? heading(status[viewState.phase])
  }
}

/** Shown until a translation has loaded, so that no text of another language appears first. */
export const busyPlaceholder = html`<div part="base" aria-busy="true">
  <div class="view">
    <p class="blank"></p>
    ${skeleton()}
  </div>
</div>`

/** Whether the payment chunk renders this phase. */
export function isPaymentPhase(viewState: ViewState): viewState is PaymentViewState {
  switch (viewState.phase) {
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
