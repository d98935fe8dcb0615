/** In what order the ways to pay are listed, and which of them are meant. */
import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import {pairKey, availableNetworks} from './choice.js'

/** Featured ones first, what cannot be chosen last; otherwise as the service lists them. */
export function sorted(assets: readonly AssetOption[]): readonly AssetOption[] {
  const rank = (asset: AssetOption) => (availableNetworks(asset).length === 0 ? 2 : asset.featured ? 0 : 1)
  return [...assets].sort((a, b) => rank(a) - rank(b))
}

/**
 * Those of which symbol, name or a network have each word in them; all, when there is no word. Whose symbol begins so
 * comes first: "eth" means ETH before it means Tether.
 */
export function search(assets: readonly AssetOption[], text: string): readonly AssetOption[] {
  const terms = normalize(text).split(/\s+/)
  const matchesSymbol = (asset: AssetOption) =>
    terms.some(word => word && normalize(asset.symbol).startsWith(word))
  return assets
    .filter(({symbol, name, networks}) => {
      const haystack = normalize(
        [symbol, name, ...networks.map(n => `${n.id} ${n.name} ${n.standard}`)].join(' '),
      )
      return terms.every(word => haystack.includes(word))
    })
    .sort((a, b) => Number(matchesSymbol(b)) - Number(matchesSymbol(a)))
}

/** "bep20" is BEP-20. */
function normalize(text: string): string {
  return text.trim().toLowerCase().replaceAll('-', '')
}

export interface AssetOnNetwork {
  readonly asset: AssetOption
  readonly network: NetworkOption
}

/** What was kept, among what can be chosen now. */
export function findRememberedPair(
  assets: readonly AssetOption[],
  key: string | null,
): AssetOnNetwork | null {
  for (const asset of assets)
    for (const network of availableNetworks(asset))
      if (pairKey({asset: asset.id, network: network.id}) === key) return {asset, network}
  return null
}
