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
const ethereum = (contract: string, decimals = 18): CatalogueNetwork => ({
  name: 'ethereum',
  contract,
  decimals,
})

export const catalogue: readonly CatalogueAsset[] = [
  {
    convertId: '825',
    symbol: 'USDT',
    name: 'Tether USD',
    currency: 'usdt',
    isToken: true,
    featured: true,
    networks: [
      bsc('0x55d398326f99059fF775485246999027B3197955'),
      ethereum('0xdAC17F958D2ee523a2206206994597C13D831ec7', 6),
    ],
  },
  {
    convertId: '1027',
    symbol: 'ETH',
    name: 'Ethereum',
    currency: 'ETH',
    isToken: false,
    featured: true,
    networks: [{name: 'ethereum', decimals: 18}],
  },
  {
    convertId: '4687',
    symbol: 'BUSD',
    name: 'Binance USD',
    currency: 'busd',
    isToken: true,
    networks: [bsc('0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56')],
  },
  {
    convertId: '1839',
    symbol: 'BNB',
    name: 'BNB',
    currency: 'BNB',
    isToken: false,
    featured: true,
    networks: [{name: 'bsc', decimals: 18}],
  },
  {
    convertId: '3408',
    symbol: 'USDC',
    name: 'USD Coin',
    currency: 'usdc',
    isToken: true,
    featured: true,
    networks: [
      {name: 'algorand', assetId: '31566704', decimals: 6},
      bsc('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'),
      ethereum('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6),
    ],
  },
  {
    convertId: '4943',
    symbol: 'DAI',
    name: 'Dai',
    currency: 'dai',
    isToken: true,
    networks: [
      bsc('0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3'),
      ethereum('0x6B175474E89094C44Da98b954EedeAC495271d0F'),
    ],
  },
  {
    convertId: '4030',
    symbol: 'ALGO',
    name: 'Algorand',
    currency: 'algo',
    isToken: false,
    networks: [{name: 'algorand', decimals: 6}],
  },
  {
    convertId: '52',
    symbol: 'XRP',
    name: 'XRP',
    currency: 'XRP',
    isToken: true,
    networks: [bsc('0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE')],
  },
  {
    convertId: '2010',
    symbol: 'ADA',
    name: 'Cardano',
    currency: 'ADA',
    isToken: true,
    networks: [bsc('0x3EE2200Efb3400fAbB9AacF31297cBdD1d435D47')],
  },
  {
    convertId: '6636',
    symbol: 'DOT',
    name: 'Polkadot',
    currency: 'DOT',
    isToken: true,
    networks: [bsc('0x7083609fCE4d1d8Dc0C979AAb8c869Ea2C873402')],
  },
  {
    convertId: '3890',
    symbol: 'MATIC',
    name: 'Polygon',
    currency: 'matic',
    isToken: true,
    networks: [
      {name: 'polygon', decimals: 18},
      bsc('0xCC42724C6683B7E57334c4E856f4c9965ED682bD'),
      ethereum('0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0'),
    ],
  },
  {
    convertId: '5805',
    symbol: 'AVAX',
    name: 'Avalanche',
    currency: 'AVAX',
    isToken: true,
    networks: [bsc('0x1CE0c2827e2eF14D5C4f29a091d735A204794041')],
  },
  {
    convertId: '3717',
    symbol: 'WBTC',
    name: 'Wrapped Bitcoin',
    currency: 'WBTC',
    isToken: true,
    networks: [ethereum('0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8)],
  },
  {
    convertId: '7083',
    symbol: 'UNI',
    name: 'Uniswap',
    currency: 'UNI',
    isToken: true,
    networks: [
      bsc('0xBf5140A22578168FD562DCcF235E5D43A02ce9B1'),
      ethereum('0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'),
    ],
  },
  {
    convertId: '1975',
    symbol: 'LINK',
    name: 'Chainlink',
    currency: 'link',
    isToken: true,
    networks: [
      bsc('0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD'),
      ethereum('0x514910771AF9Ca656af840dff83E8264EcF986CA'),
    ],
  },
  {
    convertId: '1966',
    symbol: 'MANA',
    name: 'Decentraland',
    currency: 'MANA',
    isToken: true,
    networks: [ethereum('0x0F5D2fB29fb7d3CFeE444a200298f468908cC942')],
  },
  {
    convertId: '3513',
    symbol: 'FTM',
    name: 'Fantom',
    currency: 'ftm',
    isToken: true,
    networks: [
      bsc('0xAD29AbB318791D579433D831ed122aFeAf29dcfe'),
      ethereum('0x4E15361FD6b4BB609Fa63C81A2be19d873717870'),
    ],
  },
]

/** Like the service's logos, these are https URLs on another host. They do not exist. */
export function logo(file: string): string {
  return `https://logos.sandbox.example/${file.toLowerCase()}.png`
}
