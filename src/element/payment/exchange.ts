/** Help for customers who pay from an exchange, which may take its fee out of the amount. */
import {html, type TemplateResult} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import {keyed} from 'lit/directives/keyed.js'
import type {Quote} from '../../contract/checkout.js'
import {withdrawal} from '../../core/withdrawal.js'
import {interpolate, interpolateElements} from '../../translations/format.js'
import type {PaymentContext} from './context.js'
import {copyButton, copyFailedHint} from './copy-button.js'

/** As exchanges write them. */
const names = new Map([
  ['bsc', 'BSC (BEP20)'],
  ['ethereum', 'Ethereum (ERC20)'],
  ['polygon', 'Polygon'],
  ['algorand', 'Algorand'],
])

/** Closed at first. Amount, address and QR code stay as they are. */
export function exchange(context: PaymentContext, quote: Quote): TemplateResult {
  const {translation, revision, isForm} = context
  const {amount, symbol, network, networkName, standard} = quote
  const name = names.get(network) ?? (standard ? `${networkName} (${standard})` : networkName)
  const hint = interpolateElements(translation.exchange.hint, {
    network: html`<bdi dir="ltr" translate="no">${name}</bdi>`,
    amount: html`<bdi dir="ltr" translate="no" class="number">${amount}</bdi>`,
    symbol: html`<bdi translate="no">${symbol}</bdi>`,
  })
  const text = keyed(revision, html`<p class="small">${hint}</p>`)
  // A page without a script loads again, which would close it.
  if (isForm) return html`<div part="exchange" class="exchange">${text}</div>`
  return html`<details part="exchange">
    <summary>${translation.exchange.title}</summary>
    <div class="exchange">${text} ${calculator(context, quote)}</div>
  </details>`
}

/** The field for the fee, and the sum. A fee that cannot be read has none. */
function calculator(context: PaymentContext, {amount, symbol}: Quote): TemplateResult {
  const {translation, exchangeFee, setExchangeFee} = context
  const sum = withdrawal(amount, exchangeFee)
  return html`<label for="exchange-fee">${interpolate(translation.exchange.fee, {symbol})}</label>
    <input
      part="exchange-fee"
      id="exchange-fee"
      inputmode="decimal"
      autocomplete="off"
      dir="ltr"
      aria-invalid=${ifDefined(exchangeFee && sum === null ? 'true' : undefined)}
      .value=${exchangeFee}
      @input=${({currentTarget: field}: Event) => {
        if (field instanceof HTMLInputElement) setExchangeFee(field.value)
      }}
    />
    <dl class="instructions">
      <div class="field">
        <dt>${translation.exchange.withdraw}</dt>
        <dd class="amount">
          <output for="exchange-fee">${sum === null ? '–' : total(sum, symbol)}</output>
        </dd>
        <dd class="control">
          ${sum === null ? html`<div class="no-copy"></div>` : copyButton(context, 'exchange-amount', sum)}
        </dd>
        <dd class="small">${copyFailedHint(context, 'exchange-amount')}</dd>
      </div>
    </dl>`
}

/** Another sum has another node: a translator may have replaced the text that Lit writes to. */
function total(sum: string, symbol: string): TemplateResult {
  return html`<bdi dir="ltr" translate="no"
    >${keyed(sum, html`<span part="exchange-amount">${sum}</span>`)}
    <span class="symbol">${symbol}</span></bdi
  >`
}
