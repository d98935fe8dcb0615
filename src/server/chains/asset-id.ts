import {findNetwork} from './networks.js'

/**
 * The CAIP-19 id of an asset on an EVM network: of the token with this contract, or of the network's own coin. Undefined
 * for other networks: CAIP-19 has no name for the assets of Algorand.
 */
export function assetId(network: string, contract: string | undefined): string | undefined {
  const {chainId, coinType} = findNetwork(network) ?? {}
  if (chainId === undefined) return undefined
  return `eip155:${chainId}/${contract === undefined ? `slip44:${coinType}` : `erc20:${contract}`}`
}
