/**
 * The one view that shows where to send money. Amount and address appear exactly as the proxy sent them: on screen, in
 * the QR code, on the clipboard.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {amountMoved} from '../../core/advance.js'
import type {Scene} from '../../core/phase.js'
import {heading, notice, partlyPaid, staleLine, type Html} from '../views/view.js'
import {qrCode} from './qr.js'
import type {Copied, DeskView} from './view.js'

type Paying = Extract<Scene, {phase: 'paying'}>

export function paying(view: DeskView, {checkout, way, problem}: Paying): TemplateResult {
  const {words, desk} = view
  const {quote, before} = way
  const {symbol, networkName, standard, amount, address} = quote
  return html`${heading(words.status.paying)} ${staleLine(view, checkout, problem)}
    ${
      before === null
        ? nothing
        : html`<p part="notice" class="notice">${desk.amountChanged(before, amount, symbol)}</p>`
    }
    ${partlyPaid(view, checkout)}
    <div class="pay">
      ${code(view, quote)}
      <div class="facts">
        <div class="field">
          <p class="fine">${desk.sendExactly}</p>
          <p class="amount">
            <bdi dir="ltr"><span part="amount">${amount}</span> ${symbol}</bdi>
          </p>
          ${copyButton(view, 'amount', amount)}
        </div>
        <div class="field">
          <p class="fine">${desk.toAddress}</p>
          <p><code part="address" dir="ltr">${grouped(address)}</code></p>
          ${copyButton(view, 'address', address)}
        </div>
        <p class="only">${desk.sendOnly(symbol, standard ? `${networkName} (${standard})` : networkName)}</p>
        ${quote.pegged ? html`<p class="only">${desk.peggedWarning(symbol, networkName)}</p>` : nothing}
        ${quote.legacy ? html`<p class="only">${desk.legacyWarning}</p>` : nothing}
      </div>
    </div>
    ${renewal(view, checkout, way)}
    <p class="fine">${desk.watching} ${quote.settles ? `${words.settles[quote.settles]}.` : nothing}</p>
    <button part="back" class="quiet" type="button" @click=${view.back}>${words.back}</button>`
}

/** The network stands on the frame, since one address serves several chains. */
function code({desk, qr, switchQr}: DeskView, quote: Quote): TemplateResult {
  const {symbol, networkName, standard, amount, address, uri} = quote
  const isRequest = uri !== undefined && qr === 'request'
  const describe = isRequest ? desk.qrRequest : desk.qrAddress
  return html`<figure class="code">
    ${qrCode(isRequest ? uri : address, describe(amount, symbol, networkName, address))}
    <figcaption><span part="network">${networkName}</span> <span>${standard}</span></figcaption>
    ${isRequest && standard ? html`<p class="fine">${desk.qrCheckReceiver}</p>` : nothing}
    ${
      uri === undefined
        ? nothing
        : html`<button
            part="qr-switch"
            class="quiet"
            type="button"
            @click=${() => switchQr(isRequest ? 'address' : 'request')}
          >
            ${isRequest ? desk.qrShowAddress : desk.qrShowRequest}
          </button>`
    }
  </figure>`
}

/** Groups of four for the eye; no white space between them, so that the text stays the address. */
function grouped(address: string): TemplateResult[] {
  return (address.match(/.{1,4}/gs) ?? []).map(group => html`<span>${group}</span>`)
}

function copyButton({desk, copied, copy}: DeskView, what: Copied, text: string): TemplateResult {
  const isAmount = what === 'amount'
  const done = isAmount ? desk.amountCopied : desk.addressCopied
  return html`<button
    part=${isAmount ? 'copy-amount' : 'copy-address'}
    type="button"
    @click=${() => copy(what, text)}
  >
    ${copied === what ? done : isAmount ? desk.copyAmount : desk.copyAddress}
  </button>`
}

/** The price may have moved. The old amount is neither hidden nor forbidden. */
function renewal(view: DeskView, checkout: Checkout, {quote, renewal: asked}: Paying['way']): Html {
  const {words, desk, ask, serverNow} = view
  const hasMoved = amountMoved(checkout, quote)
  if (!hasMoved && !asked && serverNow < Date.parse(quote.refreshAfter)) return nothing
  const isAsked = asked?.at === 'asked'
  const {asset, network} = quote
  const button = html`<button
    part="renew"
    type="button"
    ?disabled=${isAsked}
    @click=${() => ask({asset, network})}
  >
    ${isAsked ? words.gettingAmount : desk.renew}
  </button>`
  if (asked?.at === 'refused') return notice(view, asked.problem, button)
  return html`<div part="notice" class="notice">
    <p>${hasMoved ? desk.amountMoved : desk.priceMayHaveMoved}</p>
    ${button}
  </div>`
}
