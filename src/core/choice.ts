/** Which ways to pay there are. */
import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import type {Pair} from './advance.js'

export function availableNetworks(asset: AssetOption): readonly NetworkOption[] {
  return asset.disabled ? [] : asset.networks.filter(network => !network.disabled)
}

/** The pair that choosing this asset means at once: its only open network. */
export function onlyPair(asset: AssetOption): Pair | null {
  const [network, second] = availableNetworks(asset)
  return network && !second ? {asset: asset.id, network: network.id} : null
}

/** A pair as one text, to be kept. */
export function pairKey({asset, network}: Pair): string {
  return `${asset} ${network}`
}
