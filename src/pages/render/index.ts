/**
 * Entry point `crypto-checkout/render`: the first view of a checkout as HTML, made of the element's own views. The build
 * contains a copy of lit, for Node: it needs no DOM, on any runtime. The result is text, so the copy meets no other.
 */
import {ElementRenderer} from '@lit-labs/ssr/lib/element-renderer.js'
import {render} from '@lit-labs/ssr/lib/render.js'
import {collectResultSync} from '@lit-labs/ssr/lib/render-result.js'
import type {Checkout} from '../../contract/checkout.js'
import {advance, type State} from '../../core/advance.js'
import {secondsLeft} from '../../core/countdown.js'
import {sorted} from '../../core/listing.js'
import {viewStateOf} from '../../core/phase.js'
import {RovingFocus} from '../../element/asset-picker/roving-focus.js'
import {assetPickerStyles} from '../../element/asset-picker/styles.js'
import {assetPickerView, type AssetPickerProps} from '../../element/asset-picker/view.js'
import {renderPhase} from '../../element/render-phase.js'
import {parseFirstCheckout} from '../../element/session/first-checkout.js'
import {styles} from '../../element/styles/index.js'
import type {ViewContext} from '../../element/views/context.js'
import {frame} from '../../element/views/frame.js'
import {orderSummary} from '../../element/views/order-summary.js'
import {formatMoney} from '../../translations/format-money.js'
import type {FullLanguage} from '../../translations/translation.js'

/** `style` and `html` are for the element's shadow root, `json` is for a `<script>` in the element. */
export interface RenderedCheckout {
  readonly style: string
  readonly html: string
  /** Undefined where `html` is the skeleton. */
  readonly json: string | undefined
}

const style = [...styles, assetPickerStyles].map(({cssText}) => cssText).join('\n')

/**
 * Renders the list of assets. Where the customer has chosen one before, or the state is not certain, it renders the skeleton:
 * the page may come from a cache, and then it must not show an address.
 *
 * @param json the response of the proxy to the opening of the charge
 */
export function renderer(json: string, chargeId: string, language: FullLanguage): RenderedCheckout {
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
    // Without the comments that hydration would need, and without indentation. Texts are escaped, so `<` is never in one.
    html: collectResultSync(render(view, {customElementHostStack: [host]}))
      .replaceAll(/<!--.*?-->|<\?>/g, '')
      .replaceAll(/[ \n]{2,}/g, ' '),
    // Otherwise a text could end the script.
    json: checkout ? json.replaceAll('<', String.raw`\u003c`) : undefined,
  }
}

function timeLeft({expiresAt}: Checkout, now: number): number | null {
  return expiresAt === null ? null : secondsLeft({server: now, at: 0}, expiresAt, 0)
}

/** The views have slots, which belong to an element. */
const host = new (class extends ElementRenderer {})('crypto-checkout')

const ignore = () => undefined

function contextOf({tag, translation}: FullLanguage, serverNow: number): ViewContext {
  const locale = [tag, 'en']
  return {
    translation,
    locale,
    serverNow,
    money: money => formatMoney(money, locale),
    ...{requestQuote: ignore, expandAsset: ignore, setPart: ignore, back: ignore, retry: ignore},
    sendAgain: ignore,
  }
}

/** Nothing is known of the customer's browser. All rows, because the list can be scrolled before the script has loaded. */
const list: AssetPickerProps = {
  query: '',
  lastPair: null,
  forget: true,
  draw: null,
  rows: Infinity,
  focus: new RovingFocus({now: () => 0}),
  results: sorted,
  search: ignore,
  askForPart: ignore,
  leavePart: ignore,
}
