import {html, nothing, type TemplateResult} from 'lit'
import type {Quote} from '../../contract/checkout.js'
import {interpolate, interpolateElements} from '../../translations/format.js'
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
  const figure = html`<figure class="qr-figure">
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
    <p class="small">${isRequest ? translation.qrScan : scanAmount(context, quote)}</p>
    ${isRequest ? html`<p class="small">${interpolate(translation.walletCheck, {network: networkName})}</p>` : nothing}
    ${
      uri === undefined || context.isForm
        ? nothing
        : html`<button
            part="qr-switch"
            type="button"
            role="switch"
            aria-checked=${isRequest}
            aria-labelledby="with-amount"
            @click=${() => switchQr(isRequest ? 'address' : 'request')}
          >
            <span>${translation.qrShowAddress}</span
            ><span id="with-amount">${translation.qrShowRequest}</span>
          </button>`
    }
  </figure>`
  // A phone does not scan its own screen.
  return context.isTouch
    ? html`<details class="qr-fold">
        <summary>${translation.qrShow}</summary>
        ${figure}
      </details>`
    : figure
}

function scanAmount({translation}: PaymentContext, {amount, symbol}: Quote): readonly unknown[] {
  const exact = html`<bdi dir="ltr" translate="no"><span class="number">${amount}</span> ${symbol}</bdi>`
  return interpolateElements(translation.qrScanAmount, {amount: exact})
}
