import type {Checkout} from '../contract/checkout.js'
import type {Pair} from './advance.js'
import {onlyPair, availableNetworks} from './choice.js'

export interface Preselection {
  /** To be quoted without a click. */
  readonly pair?: Pair
  /** The asset to expand. */
  readonly asset?: string
  /** The attribute's value that is unknown or disabled. */
  readonly ignored?: string
}

/** Applies the attributes `asset` and `network` to a checkout. `network` without `asset` is ignored. */
export function preselect({assets}: Checkout, asset: string | null, network: string | null): Preselection {
  if (!asset) return {}
  const found = assets.find(({id, symbol, name}) => matches(asset, [id, symbol, name]))
  const networks = found ? availableNetworks(found) : []
  if (!found || networks.length === 0) return {ignored: asset}
  if (!network) {
    const pair = onlyPair(found)
    return pair ? {pair} : {asset: found.id}
  }
  const match = networks.find(({id, name}) => matches(network, [id, name]))
  return match ? {pair: {asset: found.id, network: match.id}} : {asset: found.id, ignored: network}
}

function matches(text: string, names: readonly string[]): boolean {
  return names.some(name => name.toLowerCase() === text.trim().toLowerCase())
}
