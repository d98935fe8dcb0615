/** What a transaction of a browser wallet moves on an EVM network. */
import {toTrimmedText} from '../contract/index.js'
import type {CatalogueAsset, CatalogueNetwork} from './catalogue.js'
import {InvalidInputError} from './invalid-input-error.js'
import type {TransactionRequest} from './requests.js'

export interface Transfer {
  readonly asset: CatalogueAsset
  readonly recipient: string
  /** A decimal string. */
  readonly amount: string
}

/** A coin or token that a wallet holds. */
export interface Token {
  readonly asset: string
  readonly symbol: string
  readonly network: string
  /** Undefined for the network's own coin. */
  readonly contract: string | undefined
  readonly decimals: number
}

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = /^0xa9059cbb0{24}([\da-f]{40})([\da-f]{64})$/i

/** Throws `InvalidInputError` for any other transaction. */
export function transferOf(
  catalogue: readonly CatalogueAsset[],
  {network, to, value = '0x0', data = '0x'}: TransactionRequest,
): Transfer {
  const [, recipient, units] = TRANSFER.exec(data) ?? []
  if (data !== '0x' && recipient === undefined) throw new InvalidInputError('data: not a token transfer')
  const contract = recipient === undefined ? undefined : to
  for (const asset of catalogue) {
    const found = asset.networks.find(
      each => each.name === network && contractOf(each)?.toLowerCase() === contract?.toLowerCase(),
    )
    if (!found) continue
    const amount = BigInt(recipient === undefined ? value : `0x${units}`)
    return {
      asset,
      recipient: recipient === undefined ? to : `0x${recipient}`,
      amount: toTrimmedText({units: amount, scale: found.decimals}),
    }
  }
  throw new InvalidInputError(`no such coin or token on ${network}`)
}

export function tokensOf(catalogue: readonly CatalogueAsset[]): Token[] {
  return catalogue.flatMap(({convertId, symbol, networks}) =>
    networks.map(network => ({
      asset: convertId,
      symbol,
      network: network.name,
      contract: contractOf(network),
      decimals: network.decimals,
    })),
  )
}

function contractOf({contract, assetId}: CatalogueNetwork): string | undefined {
  return contract ?? assetId
}
