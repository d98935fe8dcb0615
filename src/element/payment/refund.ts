/** Where the shop should send money back that is not needed. It promises nothing: the shop decides, and sends. */
import {html, nothing, type TemplateResult} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import type {Checkout} from '../../contract/checkout.js'
import {networkName} from '../../core/network-name.js'
import {hasChecksum, withoutSpace} from '../../core/refund-address.js'
import {interpolate} from '../../translations/format.js'
import {problemText} from '../../translations/translation.js'
import type {Renderable} from '../views/context.js'
import type {PaymentContext} from './context.js'
import type {RefundError} from './refund-form.js'

/** Nothing without client tokens, or where nothing is left over. Once given, the address cannot be changed here. */
export function refund(context: PaymentContext, checkout: Checkout): Renderable {
  const {translation, isForm} = context
  if (checkout.refund === undefined) return nothing
  if (checkout.refund === 'asked') return asked(context, checkout)
  // A page without a script loads again, which would close it.
  if (isForm)
    return html`<section part="refund">
      <h3>${translation.refund.title}</h3>
      ${fields(context, checkout)}
    </section>`
  return html`<details part="refund">
    <summary>${translation.refund.title}</summary>
    ${fields(context, checkout)}
  </details>`
}

function asked({translation, refund}: PaymentContext, checkout: Checkout): TemplateResult {
  const {given} = refund
  return html`<div part="refund" class="notice">
    <p>${translation.refund.asked}</p>
    ${given ? html`<p class="small">${networkName(checkout, given)}${translation.colon}<span class="data" dir="ltr" translate="no">${given.address}</span></p>` : nothing}
  </div>`
}

function fields(context: PaymentContext, checkout: Checkout): TemplateResult {
  const {translation, refund, isForm} = context
  const networks = [
    ...new Set(checkout.payments.filter(({confirmed}) => confirmed).map(({network}) => network)),
  ]
  const network = networks.find(id => id === refund.network) ?? networks[0] ?? ''
  const name = networkName(checkout, {network})
  const {address, again, error} = refund
  const typed = withoutSpace(address)
  const needsRepeat = isForm === true || (typed !== '' && !hasChecksum(typed, network))
  const content = html`<p class="small" id="refund-hint">${translation.refund.hint}</p>
    ${networks.length > 1 ? networkField(context, checkout, networks, network) : html`<input type="hidden" name="refund-network" value=${network} />`}
    ${addressField(context, 'refund-address', interpolate(translation.refund.address, {network: name}), address, error)}
    ${needsRepeat ? addressField(context, 'refund-again', translation.refund.again, again, error) : nothing}
    <p class="error" role="alert" id="refund-error">${errorText(context, error, name)}</p>
    <button part="refund-send" name="refund" value=" ">${translation.refund.send}</button>`
  // On a page without a script, all is in one form.
  if (isForm) return html`<div class="refund">${content}</div>`
  const send = (event: Event) => {
    event.preventDefault()
    refund.send({network, address})
  }
  return html`<form class="refund" @submit=${send}>${content}</form>`
}

function networkField(
  {translation, refund}: PaymentContext,
  checkout: Checkout,
  networks: readonly string[],
  chosen: string,
): TemplateResult {
  return html`<label for="refund-network">${translation.labels.network}</label>
    <select
      part="refund-network"
      id="refund-network"
      name="refund-network"
      @change=${({currentTarget: field}: Event) => {
        if (field instanceof HTMLSelectElement) refund.edit({network: field.value})
      }}
    >
      ${networks.map(
        id =>
          html`<option value=${id} ?selected=${id === chosen}>
            ${networkName(checkout, {network: id})}
          </option>`,
      )}
    </select>`
}

function addressField(
  {refund}: PaymentContext,
  name: 'refund-address' | 'refund-again',
  label: string,
  text: string,
  error: RefundError | null,
): TemplateResult {
  return html`<label for=${name}>${label}</label>
    <textarea
      part=${name}
      id=${name}
      name=${name}
      class="data"
      rows="2"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      dir="ltr"
      maxlength="200"
      aria-describedby="refund-hint refund-error"
      aria-invalid=${ifDefined(error === 'invalid' || error === 'different' ? 'true' : undefined)}
      .value=${text}
      @input=${({currentTarget: field}: Event) => {
        if (field instanceof HTMLTextAreaElement)
          refund.edit({[name === 'refund-again' ? 'again' : 'address']: field.value})
      }}
      @keydown=${submitOnEnter}
    ></textarea>`
}

/** The field has two lines, because an address is longer than a line on a phone. */
function submitOnEnter(event: KeyboardEvent): void {
  const {currentTarget: field, key, isComposing} = event
  if (key !== 'Enter' || isComposing || !(field instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  field.form?.requestSubmit()
}

function errorText({translation}: PaymentContext, error: RefundError | null, network: string): string {
  if (!error) return ''
  if (error === 'invalid') return interpolate(translation.refund.invalid, {network})
  return error === 'different' ? translation.refund.different : problemText(translation, error)
}
