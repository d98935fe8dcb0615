import type {Checkout} from '../contract/checkout.js'
import type {Pair} from './advance.js'
import {openNetworks} from './choice.js'

/**
 * The pair to pay the rest with: the one this page showed last, else the one of the last payment seen. Null when
 * neither can be chosen any more; then the customer chooses.
 */
export function pairForRest({assets, payments}: Checkout, last: Pair | null): Pair | null {
  const isOpen = ({asset, network}: Pair) =>
    assets.some(option => option.id === asset && openNetworks(option).some(({id}) => id === network))
  if (last && isOpen(last)) return last
  const payment = payments.at(-1)
  if (!payment) return null
  const asset = assets.find(({symbol}) => symbol.toLowerCase() === payment.currency.toLowerCase())
  const pair = asset && {asset: asset.id, network: payment.network}
  return pair && isOpen(pair) ? pair : null
}
