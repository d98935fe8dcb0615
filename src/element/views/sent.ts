import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Lock} from '../locks/lock.js'
import type {Renderable, ViewContext} from './context.js'

/** Where a transaction can be looked up before the proxy has seen it, by network. */
const explorers: Readonly<Record<string, string>> = {
  ethereum: 'https://etherscan.io/tx/',
  bsc: 'https://bscscan.com/tx/',
  polygon: 'https://polygonscan.com/tx/',
}

/** What wallets in this browser were asked to send, on every view that could ask for money. The latest first. */
export function sentGroup(
  {translation}: ViewContext,
  checkout: Checkout,
  locks: readonly Lock[],
  copyHash: (hash: string) => Renderable = () => nothing,
): TemplateResult {
  const {walletStatus} = translation
  const isUnsure = locks.every(({hash}) => !hash)
  return html`<div
    part="wallets"
    class="notice sent ${isUnsure ? 'unsure' : ''}"
    role="group"
    aria-label=${translation.wallets}
  >
    ${[...locks].reverse().map(
      lock =>
        html`<p>
            <b><bdi>${lock.wallet}</bdi></b> <bdi translate="no">${pairText(checkout, lock)}</bdi>
          </p>
          <p part="wallet-status">${lock.hash ? walletStatus.sent : walletStatus.unsure}</p>
          ${lock.hash ? html`<div class="row">${hashText(translation, checkout, lock, lock.hash)} ${copyHash(lock.hash)}</div>` : nothing}`,
    )}
  </div>`
}

/** Part of every view with `sentGroup`, at its end: the only way to pay again. */
export function sendAgainButton({translation, sendAgain}: ViewContext): TemplateResult {
  return html`<button part="send-again" class="secondary" type="button" @click=${sendAgain}>
    ${translation.sendAgain}
  </button>`
}

/** The common name of the lock's network, or its id if the checkout does not list it. */
export function networkOf({assets}: Checkout, {pair}: Lock): string {
  const networks = assets.find(({id}) => id === pair.asset)?.networks ?? []
  return networks.find(({id}) => id === pair.network)?.name ?? pair.network
}

function pairText(checkout: Checkout, lock: Lock): string {
  const symbol = checkout.assets.find(({id}) => id === lock.pair.asset)?.symbol ?? lock.pair.asset
  return `${symbol} · ${networkOf(checkout, lock)}`
}

function hashText(
  {opensNewTab}: ViewContext['translation'],
  {test}: Checkout,
  {pair}: Lock,
  hash: string,
): TemplateResult {
  const text = html`<span class="data" dir="ltr" translate="no">${hash}</span>`
  const explorer = explorers[pair.network]
  if (test || !explorer) return text
  return html`<a href=${explorer + hash} target="_blank" rel="noopener noreferrer"
    >${text}<span class="visually-hidden"> (${opensNewTab})</span></a
  >`
}
