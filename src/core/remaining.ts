import type {Checkout} from '../contract/checkout.js'
import type {Pair} from './advance.js'
import {availableNetworks} from './choice.js'

/**
 * The pair for paying the remaining amount: the last displayed one, else the one of the last payment. Null if neither is
 * available; then the customer chooses.
 */
export function pairForRemaining({assets, payments}: Checkout, last: Pair | null): Pair | null {
  const isAvailable = ({asset, network}: Pair) =>
    assets.some(option => option.id === asset && availableNetworks(option).some(({id}) => id === network))
  if (last && isAvailable(last)) return last
  const payment = payments.at(-1)
  if (!payment) return null
  const asset = assets.find(({symbol}) => symbol.toLowerCase() === payment.currency.toLowerCase())
  // The service may write it in another letter case.
  const name = payment.network.toLowerCase()
  const network = asset && availableNetworks(asset).find(({id}) => id.toLowerCase() === name)
  return network ? {asset: asset.id, network: network.id} : null
}
