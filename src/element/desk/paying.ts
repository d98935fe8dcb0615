/**
 * The one view that shows where to send money. Amount and address appear exactly as the proxy sent them: on screen, in
 * the QR code, on the clipboard, and in the link to a wallet.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import {amountMoved} from '../../core/advance.js'
import type {Scene} from '../../core/phase.js'
import {icon} from '../views/icon.js'
import {heading, notice, partlyPaid, staleLine, type Html} from '../views/view.js'
import {fill} from '../words/fill.js'
import {copyButton, refusedLine} from './copy-button.js'
import {careIcon} from './icons.js'
import {qrCode} from './qr.js'
import {backButton, type DeskView} from './view.js'

/** What a phone hands to a wallet; anything else stays a code that is only looked at. */
const walletScheme = /^(algorand|bitcoin|ethereum|solana|tron):/

type Paying = Extract<Scene, {phase: 'paying'}>

export function paying(view: DeskView, {checkout, way, problem}: Paying): TemplateResult {
  const {words, desk} = view
  const {quote, before} = way
  const {amount, symbol, settles} = quote
  // In the place of other lines, so that nothing moves when a read fails.
  const trouble = staleLine(view, checkout, problem)
  return html`<div class="waiting">
      ${heading(words.status.paying)}
      ${
        trouble === nothing
          ? html`<p class="fine">${desk.watching}</p>
              ${settles ? html`<p class="fine">${words.settles[settles]}</p>` : nothing}`
          : trouble
      }
    </div>
    ${
      before === null
        ? nothing
        : html`<p part="notice" class="notice">${fill(desk.amountChanged, {before, now: amount, symbol})}</p>`
    }
    ${partlyPaid(view, checkout)} ${renewal(view, checkout, way)}
    <div class="pay">${toSend(view, quote)} ${code(view, quote)}</div>
    ${backButton(view)}`
}

/** How much, where to, and the one warning. */
function toSend(view: DeskView, quote: Quote): TemplateResult {
  const {desk} = view
  const {symbol, networkName, standard, amount, address} = quote
  // With a word joiner, since "BEP-" and "20" say little on two lines.
  const network = standard ? `${networkName} (${standard.replace('-', '-\u2060')})` : networkName
  return html`<div class="facts">
    <div class="field">
      <p class="fine">${desk.sendExactly}</p>
      <p class="amount">
        <bdi dir="ltr"><span part="amount">${amount}</span> <span class="symbol">${symbol}</span></bdi>
      </p>
      ${copyButton(view, 'amount', amount)}
      <p class="fine">${desk.plusFees}</p>
      ${refusedLine(view, 'amount')}
    </div>
    <div class="field">
      <p class="fine">${desk.toAddress}</p>
      <p><code part="address" dir="ltr">${grouped(address)}</code></p>
      ${copyButton(view, 'address', address)} ${refusedLine(view, 'address')}
    </div>
    <div class="care">
      ${icon(careIcon)}
      <p>
        ${fill(desk.sendOnly, {symbol, network})}
        ${quote.pegged ? fill(desk.peggedWarning, {symbol, network: networkName}) : nothing}
        ${quote.legacy ? desk.legacyWarning : nothing}
      </p>
    </div>
  </div>`
}

/** The network stands on the frame, since one address serves several chains. */
function code(view: DeskView, quote: Quote): TemplateResult {
  const {desk, qr, switchQr} = view
  const {symbol, networkName, standard, amount, address, uri} = quote
  const isRequest = uri !== undefined && qr === 'request'
  const describe = isRequest ? desk.qrRequest : desk.qrAddress
  return html`<figure class="code">
    <div class="frame">
      ${qrCode(isRequest ? uri : address, fill(describe, {amount, symbol, network: networkName, address}))}
      <figcaption>
        <span part="network">${networkName}</span>
        ${standard ? html`<span class="fine">${standard}</span>` : nothing}
      </figcaption>
    </div>
    ${isRequest && standard ? html`<p class="fine">${desk.qrCheckReceiver}</p>` : nothing}
    ${
      isRequest && walletScheme.test(uri)
        ? html`<a class="wallet main" href=${uri}>${desk.openWallet}</a>`
        : nothing
    }
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
    @click=${() => {
      if (!isAsked) ask({asset, network})
    }}
  >
    ${isAsked ? words.gettingAmount : desk.renew}
  </button>`
  if (asked?.at === 'refused') return notice(view, asked.problem, button)
  return html`<div part="notice" class="notice">
    <p>${hasMoved ? desk.amountMoved : desk.priceMayHaveMoved}</p>
    ${button}
  </div>`
}
