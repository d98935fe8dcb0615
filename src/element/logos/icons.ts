/** The icons of known assets and networks, as inline SVG. A lazy chunk that is loaded when they can be seen. */
import ADA from '@web3icons/core/svgs/tokens/background/ADA.svg.js'
import ALGO from '@web3icons/core/svgs/tokens/background/ALGO.svg.js'
import AVAX from '@web3icons/core/svgs/tokens/background/AVAX.svg.js'
import BNB from '@web3icons/core/svgs/tokens/background/BNB.svg.js'
import DAI from '@web3icons/core/svgs/tokens/background/DAI.svg.js'
import DOT from '@web3icons/core/svgs/tokens/background/DOT.svg.js'
import ETH from '@web3icons/core/svgs/tokens/background/ETH.svg.js'
import FTM from '@web3icons/core/svgs/tokens/background/FTM.svg.js'
import LINK from '@web3icons/core/svgs/tokens/background/LINK.svg.js'
import MANA from '@web3icons/core/svgs/tokens/background/MANA.svg.js'
import MATIC from '@web3icons/core/svgs/tokens/background/MATIC.svg.js'
import UNI from '@web3icons/core/svgs/tokens/background/UNI.svg.js'
import USDC from '@web3icons/core/svgs/tokens/background/USDC.svg.js'
import USDT from '@web3icons/core/svgs/tokens/background/USDT.svg.js'
import WBTC from '@web3icons/core/svgs/tokens/background/WBTC.svg.js'
import XRP from '@web3icons/core/svgs/tokens/background/XRP.svg.js'
import {html, nothing} from 'lit'
import {unsafeHTML} from 'lit/directives/unsafe-html.js'
import type {Renderable} from '../views/context.js'
import type {DrawLogos} from './draw-logos.js'

export {iconStyles} from './icon-styles.js'

/** The package has no icon of this retired token. */
const BUSD =
  '<svg viewBox="0 0 24 24"><path fill="#F0B90B" d="M0 0h24v24H0z"/><path fill="#fff" d="m12 3.7 2.3 2.3-5.7 5.7-2.3-2.3zm3.4 3.4 2.3 2.3-7.4 7.4-2.3-2.3zm3.4 3.4 2.3 2.3-7.4 7.4-2.3-2.3zm-13.6 0 2.3 2.3-2.3 2.3-2.3-2.3z"/></svg>'

const assets: Readonly<Record<string, string>> = {
  ADA,
  ALGO,
  AVAX,
  BNB,
  BUSD,
  DAI,
  DOT,
  ETH,
  FTM,
  LINK,
  MANA,
  MATIC,
  POL: MATIC,
  UNI,
  USDC,
  USDT,
  WBTC,
  XRP,
}

/** A network has the icon of its own coin. */
const networks = new Map([
  ['algorand', ALGO],
  ['bsc', BNB],
  ['ethereum', ETH],
  ['polygon', MATIC],
])

/**
 * A badge names the network of a token. A coin on its own network needs none. `unsafeHTML` gets constants of this file and of
 * the icon package only.
 */
export const drawIcons: DrawLogos = {
  asset({symbol}, network) {
    const badge = network?.standard ? networks.get(network.id) : undefined
    return html`${draw('coin', drawIcons.svg(symbol))}${draw('badge', badge)}`
  },
  network: id => draw('coin', networks.get(id)),
  svg: symbol => assets[symbol.toUpperCase()],
}

function draw(name: 'coin' | 'badge', icon: string | undefined): Renderable {
  return icon ? html`<span class=${name}>${unsafeHTML(icon)}</span>` : nothing
}
