/**
 * The QR code's optional form, which carries the amount too: EIP-681 for EVM chains, ARC-26 for Algorand. Plain digits
 * only, always with the chain id, no gas fields: wallets misread everything else.
 */
import {findNetwork} from './networks.js'

export interface PaymentRequest {
  readonly network: string
  /** The token contract, or the Algorand asset id; undefined for the network's own coin. */
  readonly contract: string | undefined
  readonly address: string
  readonly baseUnits: string
}

/** The request's URI, or undefined on a network that has no such form. */
export function paymentRequestUri({
  network,
  contract,
  address,
  baseUnits,
}: PaymentRequest): string | undefined {
  const known = findNetwork(network)
  if (known?.family === 'algorand')
    return `algorand://${address}?amount=${baseUnits}${contract === undefined ? '' : `&asset=${contract}`}`
  if (known?.chainId === undefined) return undefined
  return contract === undefined
    ? `ethereum:${address}@${known.chainId}?value=${baseUnits}`
    : `ethereum:${contract}@${known.chainId}/transfer?address=${address}&uint256=${baseUnits}`
}
