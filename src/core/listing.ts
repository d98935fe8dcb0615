/** In what order the ways to pay are listed, and which of them are meant. */
import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import {keyOf, openNetworks} from './choice.js'

/** Featured ones first, what cannot be chosen last; otherwise as the service lists them. */
export function sorted(assets: readonly AssetOption[]): readonly AssetOption[] {
  const place = (asset: AssetOption) => (openNetworks(asset).length === 0 ? 2 : asset.featured ? 0 : 1)
  return [...assets].sort((a, b) => place(a) - place(b))
}

/**
 * Those of which symbol, name or a network have each word in them; all, when there is no word. Whose symbol begins so
 * comes first: "eth" means ETH before it means Tether.
 */
export function search(assets: readonly AssetOption[], text: string): readonly AssetOption[] {
  const words = fold(text).split(/\s+/)
  const isMeant = (asset: AssetOption) => words.some(word => word && fold(asset.symbol).startsWith(word))
  return assets
    .filter(({symbol, name, networks}) => {
      const all = fold([symbol, name, ...networks.map(n => `${n.id} ${n.name} ${n.standard}`)].join(' '))
      return words.every(word => all.includes(word))
    })
    .sort((a, b) => Number(isMeant(b)) - Number(isMeant(a)))
}

/** "bep20" is BEP-20. */
function fold(text: string): string {
  return text.trim().toLowerCase().replaceAll('-', '')
}

export interface Choice {
  readonly asset: AssetOption
  readonly network: NetworkOption
}

/** What was kept, among what can be chosen now. */
export function recalled(assets: readonly AssetOption[], key: string | null): Choice | null {
  for (const asset of assets)
    for (const network of openNetworks(asset))
      if (keyOf({asset: asset.id, network: network.id}) === key) return {asset, network}
  return null
}
