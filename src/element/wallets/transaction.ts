import type {Transaction, WalletQuote} from './wallet.js'

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = '0xa9059cbb'

/**
 * Always with the chain: a wallet may still be on another one, although it reported this one. Without gas, price and nonce,
 * which the wallet knows better.
 */
export function transactionFor(
  {address, baseUnits, chainId, contract}: WalletQuote,
  from: string,
): Transaction {
  const units = BigInt(baseUnits).toString(16)
  const base = {from, chainId: toHex(chainId)}
  return contract
    ? {...base, to: contract, data: TRANSFER + padded(address.slice(2).toLowerCase()) + padded(units)}
    : {...base, to: address, value: `0x${units}`}
}

export function toHex(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

/** To 32 bytes. */
function padded(hexadecimal: string): string {
  return hexadecimal.padStart(64, '0')
}
