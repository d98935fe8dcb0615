/**
 * The 17 assets and 26 pairs of the specification's example wallet, with the irregularities of the service: an asset on
 * one network has the single shape, others have `networks`; `currency` is in either case; only some entries of `networks`
 * have `network`.
 */

export interface CatalogueAsset {
  readonly convertId: string
  readonly symbol: string
  readonly name: string
  /** The symbol, in upper or lower case. */
  readonly currency: string
  readonly isToken: boolean
  /** Sent as `isFeaturd`, and only if set. */
  readonly featured?: boolean
  readonly networks: readonly CatalogueNetwork[]
}

export interface CatalogueNetwork {
  readonly name: string
  /** A token's contract on an EVM network. */
  readonly contract?: string
  /** A token's id on Algorand. */
  readonly assetId?: string
  /** The token's decimals on the chain. The service does not send them. */
  readonly decimals: number
}

const bsc = (contract: string): CatalogueNetwork => ({name: 'bsc', contract, decimals: 18})
const ethereum = (contract: string, decimals = 18) => ({name: 'ethereum', contract, decimals})

const featured = ['USDT', 'ETH', 'BNB', 'USDC']

function token(
  convertId: string,
  currency: string,
  name: string,
  ...networks: readonly CatalogueNetwork[]
): CatalogueAsset {
  const symbol = currency.toUpperCase()
  const isFeatured = featured.includes(symbol) && {featured: true}
  return {convertId, symbol, name, currency, isToken: true, ...isFeatured, networks}
}

function coin(convertId: string, currency: string, name: string, network: CatalogueNetwork): CatalogueAsset {
  return {...token(convertId, currency, name, network), isToken: false}
}

export const catalogue: readonly CatalogueAsset[] = [
  token(
    '825',
    'usdt',
    'Tether USD',
    bsc('0x55d398326f99059fF775485246999027B3197955'),
    ethereum('0xdAC17F958D2ee523a2206206994597C13D831ec7', 6),
  ),
  coin('1027', 'ETH', 'Ethereum', {name: 'ethereum', decimals: 18}),
  token('4687', 'busd', 'Binance USD', bsc('0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56')),
  coin('1839', 'BNB', 'BNB', {name: 'bsc', decimals: 18}),
  token(
    '3408',
    'usdc',
    'USD Coin',
    {name: 'algorand', assetId: '31566704', decimals: 6},
    bsc('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'),
    ethereum('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6),
  ),
  token(
    '4943',
    'dai',
    'Dai',
    bsc('0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3'),
    ethereum('0x6B175474E89094C44Da98b954EedeAC495271d0F'),
  ),
  coin('4030', 'algo', 'Algorand', {name: 'algorand', decimals: 6}),
  token('52', 'XRP', 'XRP', bsc('0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE')),
  token('2010', 'ADA', 'Cardano', bsc('0x3EE2200Efb3400fAbB9AacF31297cBdD1d435D47')),
  token('6636', 'DOT', 'Polkadot', bsc('0x7083609fCE4d1d8Dc0C979AAb8c869Ea2C873402')),
  token(
    '3890',
    'matic',
    'Polygon',
    {name: 'polygon', decimals: 18},
    bsc('0xCC42724C6683B7E57334c4E856f4c9965ED682bD'),
    ethereum('0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0'),
  ),
  token('5805', 'AVAX', 'Avalanche', bsc('0x1CE0c2827e2eF14D5C4f29a091d735A204794041')),
  token('3717', 'WBTC', 'Wrapped Bitcoin', ethereum('0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8)),
  token(
    '7083',
    'UNI',
    'Uniswap',
    bsc('0xBf5140A22578168FD562DCcF235E5D43A02ce9B1'),
    ethereum('0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'),
  ),
  token(
    '1975',
    'link',
    'Chainlink',
    bsc('0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD'),
    ethereum('0x514910771AF9Ca656af840dff83E8264EcF986CA'),
  ),
  token('1966', 'MANA', 'Decentraland', ethereum('0x0F5D2fB29fb7d3CFeE444a200298f468908cC942')),
  token(
    '3513',
    'ftm',
    'Fantom',
    bsc('0xAD29AbB318791D579433D831ed122aFeAf29dcfe'),
    ethereum('0x4E15361FD6b4BB609Fa63C81A2be19d873717870'),
  ),
]

/** Like the service's logos, these are https URLs on another host. They do not exist. */
export function logo(file: string): string {
  return `https://logos.sandbox.example/${file.toLowerCase()}.png`
}
