/** Which of the service's assets the shop offers, and in which order. A pair that is not offered cannot be quoted. */
import type {AssetOption} from '../../contract/index.js'
import {silentLogger, type Logger} from '../base/logger.js'
import {toAssetOption} from './catalogue.js'
import type {WalletAsset} from './schema.js'

/** Each entry is a symbol, a convert id, or one of them and a network: `USDT`, `USDT/bsc`, `825`. Case does not count. */
export interface AssetRules {
  /** Only these. Default: all. */
  readonly allow?: readonly string[] | undefined
  /** Not these, also if they are allowed. */
  readonly deny?: readonly string[] | undefined
  /** These before all others, in this order. */
  readonly first?: readonly string[] | undefined
}

interface OfferedAssets {
  readonly assets: readonly AssetOption[]
  /** The same, as JSON. */
  readonly json: string
}

type Network = WalletAsset['networks'][number]

export class Offer {
  readonly #offered = new WeakMap<readonly WalletAsset[], OfferedAssets>()
  /** Whether the rules leave nothing of the first catalogue; undefined before it. */
  isEmpty: boolean | undefined

  constructor(
    readonly rules: AssetRules = {},
    readonly logger: Logger = silentLogger,
  ) {}

  of(wallet: readonly WalletAsset[]): OfferedAssets {
    let offered = this.#offered.get(wallet)
    if (!offered) {
      const assets = this.#select(wallet)
      if (this.isEmpty === undefined && wallet.length > 0) this.#check(wallet, assets.length === 0)
      offered = {assets, json: JSON.stringify(assets)}
      this.#offered.set(wallet, offered)
    }
    return offered
  }

  has(asset: WalletAsset, network: Network): boolean {
    const {allow, deny = []} = this.rules
    const isNamed = (names: readonly string[]) => names.some(name => isNameOf(name, asset, network))
    return (!allow || isNamed(allow)) && !isNamed(deny)
  }

  /** A name that is not right allows or denies nothing, without anybody noticing. */
  #check(wallet: readonly WalletAsset[], isEmpty: boolean): void {
    this.isEmpty = isEmpty
    const isKnown = (name: string) =>
      wallet.some(asset => asset.networks.some(network => isNameOf(name, asset, network)))
    const {allow = [], deny = [], first = []} = this.rules
    for (const entry of new Set([...allow, ...deny, ...first].filter(name => !isKnown(name))))
      this.logger.warn('an entry of the option assets matches nothing that the service offers', {entry})
    if (isEmpty) this.logger.error('the option assets leaves nothing to pay with')
  }

  /** Assets of which the customer can only send an old or a pegged token are last, unless the shop wants them first. */
  #select(all: readonly WalletAsset[]): readonly AssetOption[] {
    const {first = []} = this.rules
    return all
      .map(asset => ({...asset, networks: asset.networks.filter(network => this.has(asset, network))}))
      .filter(({networks}) => networks.length > 0)
      .map(asset => {
        const ranks = asset.networks.map(network => rankIn(first, asset, network))
        const isLast = asset.networks.every(({pegged, legacy}) => (pegged ?? legacy) === true)
        const best = Math.min(...ranks)
        const isFirst = best < first.length
        return {
          rank: best + Number(!isFirst && isLast),
          option: toAssetOption({
            ...asset,
            featured: first.length > 0 ? isFirst : asset.featured && !isLast,
            networks: asset.networks.toSorted((a, b) => rankIn(first, asset, a) - rankIn(first, asset, b)),
          }),
        }
      })
      .toSorted((a, b) => a.rank - b.rank)
      .map(({option}) => option)
  }
}

/** The place in the list, or its length. */
function rankIn(names: readonly string[], asset: WalletAsset, network: Network): number {
  const index = names.findIndex(name => isNameOf(name, asset, network))
  return index < 0 ? names.length : index
}

function isNameOf(name: string, {symbol, id}: WalletAsset, network: Network): boolean {
  const [asset = '', on] = name.toLowerCase().split('/')
  const isAsset = asset === symbol.toLowerCase() || asset === id.toLowerCase()
  return isAsset && (on === undefined || on === network.id.toLowerCase())
}
