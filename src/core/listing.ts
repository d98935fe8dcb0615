import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import {pairKey, availableNetworks} from './choice.js'

/** Featured assets first, unavailable ones last; otherwise in the order of the service. */
export function sorted(assets: readonly AssetOption[]): readonly AssetOption[] {
  const rank = (asset: AssetOption) => (availableNetworks(asset).length === 0 ? 2 : asset.featured ? 0 : 1)
  return [...assets].sort((a, b) => rank(a) - rank(b))
}

/** Other names that exchanges and wallets use, by symbol and by network. */
const aliases = new Map([
  ['BNB', 'binance coin'],
  ['MATIC', 'pol'],
  ['POL', 'matic'],
  ['bsc', 'binance'],
])
const aliasOf = (key: string) => aliases.get(key) ?? ''

/** What is searched of an asset, which a catalogue of thousands has to make once only. */
interface Searched {
  readonly names: readonly string[]
  readonly all: string
}

const searchedTexts = new WeakMap<AssetOption, Searched>()

function searchedOf(asset: AssetOption): Searched {
  let texts = searchedTexts.get(asset)
  if (!texts) {
    const {symbol, name, networks} = asset
    const names = [symbol, name, aliasOf(symbol)].map(normalize)
    const others = networks.map(({id, name, standard = ''}) => `${id} ${name} ${standard} ${aliasOf(id)}`)
    texts = {names, all: [...names, ...others.map(normalize)].join(' ')}
    searchedTexts.set(asset, texts)
  }
  return texts
}

/**
 * The assets whose symbol, names or networks contain each word of the query; all for an empty query. Assets whose symbol
 * or name starts with a word come first, so that "eth" finds ETH before Tether.
 */
export function search(assets: readonly AssetOption[], query: string): readonly AssetOption[] {
  const words = normalize(query).split(/\s+/)
  if (!words[0]) return assets
  const isNamed = (asset: AssetOption) =>
    words.some(word => word && searchedOf(asset).names.some(name => name.startsWith(word)))
  const found = assets.filter(asset => words.every(word => searchedOf(asset).all.includes(word)))
  return [...found.filter(isNamed), ...found.filter(asset => !isNamed(asset))]
}

/** Whether the customer looks for bitcoin itself, of which only tokens may be listed. */
export function isBitcoin(query: string): boolean {
  return /^(btc|bitcoin)$/.test(normalize(query))
}

/** Ignores case and hyphens: "bep20" finds BEP-20. */
function normalize(text: string): string {
  return text.trim().toLowerCase().replaceAll('-', '')
}

export interface AssetOnNetwork {
  readonly asset: AssetOption
  readonly network: NetworkOption
}

/** The asset and network of a `pairKey`; null if they are not available now. */
export function findRememberedPair(
  assets: readonly AssetOption[],
  key: string | null,
): AssetOnNetwork | null {
  for (const asset of assets)
    for (const network of availableNetworks(asset))
      if (pairKey({asset: asset.id, network: network.id}) === key) return {asset, network}
  return null
}
