import {html, nothing, type TemplateResult} from 'lit'
import type {Checkout, Quote} from '../../contract/checkout.js'
import type {Lock} from '../locks/lock.js'
import type {Renderable, ViewContext} from './context.js'

/** Where a transaction can be looked up before the proxy has seen it, by network. */
const explorers: Readonly<Record<string, string>> = {
  ethereum: 'https://etherscan.io/tx/',
  bsc: 'https://bscscan.com/tx/',
  polygon: 'https://polygonscan.com/tx/',
}

/** The fields of a quote that say what is sent, and how long it takes. */
export type SentPair = Pick<Quote, 'asset' | 'network' | 'symbol' | 'networkName'> & {
  readonly standard: string | undefined
  readonly confirmationTime: Quote['confirmationTime'] | undefined
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

/** What was sent, for people; the ids, if the checkout does not list them. */
export function sentPair({assets}: Checkout, {pair}: Lock): SentPair {
  const asset = assets.find(({id}) => id === pair.asset)
  const network = asset?.networks.find(({id}) => id === pair.network)
  return {
    ...pair,
    symbol: asset?.symbol ?? pair.asset,
    networkName: network?.name ?? pair.network,
    standard: network?.standard,
    confirmationTime: network?.confirmationTime,
  }
}

function pairText(checkout: Checkout, lock: Lock): string {
  const {symbol, networkName} = sentPair(checkout, lock)
  return `${symbol} · ${networkName}`
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
