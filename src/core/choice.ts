/** Which ways to pay there are, and in what order. */
import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import type {Pair} from './advance.js'

export function openNetworks(asset: AssetOption): readonly NetworkOption[] {
  return asset.disabled ? [] : asset.networks.filter(network => !network.disabled)
}

/** The pair that choosing this asset means at once: its only open network. */
export function onlyPair(asset: AssetOption): Pair | null {
  const [network, second] = openNetworks(asset)
  return network && !second ? {asset: asset.id, network: network.id} : null
}

/** Featured ones first, what cannot be chosen last; otherwise as the service lists them. */
export function sorted(assets: readonly AssetOption[]): readonly AssetOption[] {
  const place = (asset: AssetOption) => (openNetworks(asset).length === 0 ? 2 : asset.featured ? 0 : 1)
  return [...assets].sort((a, b) => place(a) - place(b))
}

/** Those of which symbol, name or a network's name have each word in them; all, when there is no word. */
export function search(assets: readonly AssetOption[], text: string): readonly AssetOption[] {
  const words = fold(text).split(/\s+/)
  return assets.filter(({symbol, name, networks}) => {
    const all = fold([symbol, name, ...networks.map(network => network.name)].join(' '))
    return words.every(word => all.includes(word))
  })
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
