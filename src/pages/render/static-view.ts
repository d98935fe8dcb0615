/** Renders views to text on a server, where no handler ever runs. */
import {ElementRenderer} from '@lit-labs/ssr/lib/element-renderer.js'
import {render} from '@lit-labs/ssr/lib/render.js'
import {collectResultSync} from '@lit-labs/ssr/lib/render-result.js'
import type {TemplateResult} from 'lit'
import {sorted} from '../../core/listing.js'
import {RovingFocus} from '../../element/asset-picker/roving-focus.js'
import type {AssetPickerProps} from '../../element/asset-picker/view.js'
import type {ViewContext} from '../../element/views/context.js'
import {formatMoney} from '../../translations/format-money.js'
import type {FullLanguage} from '../../translations/translation.js'

/** The views have slots, which belong to an element. */
const host = new (class extends ElementRenderer {})('crypto-checkout')

/** Without the comments that hydration would need, and without indentation. Texts are escaped, so `<` is never in one. */
export function textOf(view: TemplateResult): string {
  return collectResultSync(render(view, {customElementHostStack: [host]}))
    .replaceAll(/<!--.*?-->|<\?>/g, '')
    .replaceAll(/[ \n]{2,}/g, ' ')
}

export const ignore = () => undefined

/** @param serverNow milliseconds since 1970 UTC */
export function contextOf({tag, translation}: FullLanguage, serverNow: number): ViewContext {
  const locale = [tag, 'en']
  return {
    translation,
    locale,
    serverNow,
    money: money => formatMoney(money, locale),
    ...{requestQuote: ignore, expandAsset: ignore, setPart: ignore, back: ignore, retry: ignore},
    sendAgain: ignore,
    giveRefundAddress: () => Promise.resolve(null),
  }
}

/** Nothing is known of the customer's browser. All rows, because the list can be scrolled before the script has loaded. */
export const list: AssetPickerProps = {
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
