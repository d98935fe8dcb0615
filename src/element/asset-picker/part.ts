import {html, nothing} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import type {Checkout} from '../../contract/checkout.js'
import {interpolate} from '../../translations/format.js'
import type {Renderable, ViewContext} from '../views/context.js'
import {payPartButton} from '../views/pay-part-button.js'
import {isComposing} from './roving-focus.js'

/** Offers to pay less than all that is due. `part`: what the customer typed; null before the customer asked for it. */
export function partForm(
  {translation, money, setPart}: ViewContext,
  {acceptsPartial, due}: Checkout,
  part: string | null,
  isValid: boolean,
  onDone: () => void,
): Renderable {
  if (!acceptsPartial) return nothing
  if (part === null) return payPartButton({translation, setPart})
  return html`<div class="part">
    <label for="part-amount">${translation.partAmount}</label>
    <span class="part-field">
      <input
        part="part-amount"
        id="part-amount"
        name="part"
        inputmode="decimal"
        autocomplete="off"
        dir="ltr"
        aria-describedby="part-limit"
        aria-invalid=${ifDefined(part && !isValid ? 'true' : undefined)}
        .value=${part}
        @input=${({currentTarget: field}: Event) => {
          if (field instanceof HTMLInputElement) setPart(field.value)
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || isComposing(event)) return
          event.preventDefault()
          onDone()
        }}
      />
      <span translate="no">${due.currency}</span>
    </span>
    <p id="part-limit" class="small">${interpolate(translation.partLimit, {due: money(due)})}</p>
    <div class="row">
      <button part="part-continue" @click=${onDone}>${translation.partContinue}</button>
      <span class="small">${translation.partThen}</span>
    </div>
    <button part="pay-in-full" class="secondary" name="back" @click=${() => setPart(null)}>
      ${translation.payInFull}
    </button>
  </div>`
}
