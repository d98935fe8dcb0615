import {html, nothing, type TemplateResult} from 'lit'
import type {Quote} from '../../contract/checkout.js'
import {interpolate} from '../../translations/format.js'
import type {PaymentContext} from './context.js'
import {qrCode} from './qr-code.js'
import {requestUri} from './wallet-links.js'

/** The frame has the network's colour and name, because one address can be valid on several chains. */
export function qrFigure(context: PaymentContext, quote: Quote): TemplateResult {
  const {translation, draw, qr, switchQr} = context
  const {symbol, network, networkName, standard, amount, address} = quote
  const uri = requestUri(quote)
  const isRequest = uri !== undefined && qr === 'request'
  const description = isRequest ? translation.qrRequest : translation.qrAddress
  return html`<figure class="qr-figure">
    <div class="frame network-${network}">
      ${qrCode(
        isRequest ? uri : address,
        interpolate(description, {amount, symbol, network: networkName, address}),
        draw?.svg(symbol),
      )}
      <figcaption translate="no">
        <span>${networkName}</span>
        ${standard ? html`<span class="small">${standard}</span>` : nothing}
      </figcaption>
    </div>
    ${
      isRequest
        ? html`<p class="small not-touch">${interpolate(translation.walletCheck, {network: networkName})}</p>`
        : nothing
    }
    ${
      uri === undefined
        ? nothing
        : html`<button
            part="qr-switch"
            class="secondary"
            type="button"
            @click=${() => switchQr(isRequest ? 'address' : 'request')}
          >
            ${isRequest ? translation.qrShowAddress : translation.qrShowRequest}
          </button>`
    }
  </figure>`
}
