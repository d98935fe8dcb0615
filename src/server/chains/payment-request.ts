/**
 * Payment request URIs, which hold the address and the amount: EIP-681 for EVM chains, ARC-26 for Algorand. They use
 * plain digits, always name the chain and have no gas fields, because wallets misread other forms.
 */
import {findNetwork} from './networks.js'

export interface PaymentRequest {
  readonly network: string
  /** The token contract, or the Algorand asset id; undefined for the network's own coin. */
  readonly contract: string | undefined
  readonly address: string
  readonly baseUnits: string
}

/** Returns undefined for a network without such a URI. */
export function paymentRequestUri({
  network,
  contract,
  address,
  baseUnits,
}: PaymentRequest): string | undefined {
  const info = findNetwork(network)
  if (info?.family === 'algorand')
    return `algorand://${address}?amount=${baseUnits}${contract === undefined ? '' : `&asset=${contract}`}`
  if (info?.chainId === undefined) return undefined
  return contract === undefined
    ? `ethereum:${address}@${info.chainId}?value=${baseUnits}`
    : `ethereum:${contract}@${info.chainId}/transfer?address=${address}&uint256=${baseUnits}`
}
