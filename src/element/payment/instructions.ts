import {html, nothing, type TemplateResult} from 'lit'
import type {Quote} from '../../contract/checkout.js'
import {interpolate} from '../../translations/format.js'
import {icon} from '../views/icon.js'
import type {PaymentContext} from './context.js'
import {copyButton, copyFailedHint} from './copy-button.js'
import {warningIcon} from './icons.js'

/** Amount and address to copy, and what can go wrong. */
export function instructions(context: PaymentContext, quote: Quote): TemplateResult {
  const {translation} = context
  const {symbol, networkName, standard, amount, address} = quote
  // A word joiner, so that "BEP-20" does not break across lines.
  const network = standard ? `${networkName} (${standard.replace('-', '-\u2060')})` : networkName
  const {labels} = translation
  return html`<div class="instructions">
    <dl>
      <div class="field">
        <dt>${labels.amount}</dt>
        <dd class="amount">
          <bdi dir="ltr" translate="no"
            ><span part="amount" class="number">${amount}</span> <span class="symbol">${symbol}</span></bdi
          >
        </dd>
        <dd class="control">${copyButton(context, 'amount', amount)}</dd>
        <dd class="small">${copyFailedHint(context, 'amount')}</dd>
      </div>
      <div class="field">
        <dt>${labels.address}</dt>
        <dd><code part="address" dir="ltr" translate="no">${grouped(address)}</code></dd>
        <dd class="control">${copyButton(context, 'address', address)}</dd>
        <dd class="small">${copyFailedHint(context, 'address')}</dd>
      </div>
    </dl>
    <div class="warning">
      ${icon(warningIcon)}
      <p>
        ${interpolate(translation.sendOnly, {symbol, network})}
        ${quote.pegged ? interpolate(translation.peggedWarning, {symbol, network: networkName}) : nothing}
        ${quote.legacy ? translation.legacyWarning : nothing}
      </p>
      <p>${translation.plusFees}</p>
    </div>
  </div>`
}

/**
 * Groups of four, spaced by CSS. The text contains no white space, so that it stays exactly the address. It does not break
 * before a last group of fewer than four, which could look like a part of something else.
 */
function grouped(address: string): TemplateResult[] {
  const groups = address.match(/.{1,4}/gs) ?? []
  return groups.map(
    (group, index) =>
      html`<span>${group}</span>${(groups[index + 1]?.length ?? 0) < 4 ? nothing : html`<wbr />`}`,
  )
}
