import type {AssetOption, NetworkOption} from '../contract/checkout.js'
import type {Pair} from './advance.js'

export function availableNetworks(asset: AssetOption): readonly NetworkOption[] {
  return asset.disabled ? [] : asset.networks.filter(network => !network.disabled)
}

/** The pair of an asset with exactly one available network, which needs no further choice. */
export function onlyPair(asset: AssetOption): Pair | null {
  const [network, second] = availableNetworks(asset)
  return network && !second ? {asset: asset.id, network: network.id} : null
}

/** The pair as one string, which is stored in the browser. */
export function pairKey({asset, network}: Pair): string {
  return `${asset} ${network}`
}
