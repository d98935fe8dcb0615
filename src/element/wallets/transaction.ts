import type {Transaction, WalletQuote} from './wallet.js'

/** `transfer(address,uint256)` and `balanceOf(address)` of ERC-20. */
const selectors = {transfer: '0xa9059cbb', balanceOf: '0x70a08231'}

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
    ? {...base, to: contract, data: dataFor('transfer', address) + padded(units)}
    : {...base, to: address, value: `0x${units}`}
}

export function toHex(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

/** The call of a token's function, whose first argument is an address. */
export function dataFor(name: keyof typeof selectors, address: string): string {
  return selectors[name] + padded(address.slice(2).toLowerCase())
}

/** To 32 bytes. */
function padded(hexadecimal: string): string {
  return hexadecimal.padStart(64, '0')
}
