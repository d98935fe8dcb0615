/**
 * The service's 26 pairs of asset and network. One symbol has different decimals on different networks (USDT: 6 on
 * Ethereum, 18 on BNB Smart Chain), so the key is convert id, network and contract, never the symbol. A pair that differs
 * in any of these is unknown.
 *
 * Each row agrees with at least two public token lists. Addresses are checksummed (EIP-55).
 */
interface KnownToken {
  readonly symbol: string
  readonly convertId: string
  readonly network: string
  /** The token contract; on Algorand the asset id; null for the network's own coin. */
  readonly contract: string | null
  readonly decimals: number
}

export interface PairFacts {
  readonly convertId: string
  readonly network: string
  readonly contract: string | undefined
}

// prettier-ignore
const knownTokens: readonly KnownToken[] = [
  {symbol: "USDT", convertId: "825", network: "bsc", contract: "0x55d398326f99059fF775485246999027B3197955", decimals: 18},
  {symbol: "USDT", convertId: "825", network: "ethereum", contract: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6},
  {symbol: "ETH", convertId: "1027", network: "ethereum", contract: null, decimals: 18},
  {symbol: "BUSD", convertId: "4687", network: "bsc", contract: "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56", decimals: 18},
  {symbol: "BNB", convertId: "1839", network: "bsc", contract: null, decimals: 18},
  {symbol: "USDC", convertId: "3408", network: "algorand", contract: "31566704", decimals: 6},
  {symbol: "USDC", convertId: "3408", network: "bsc", contract: "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", decimals: 18},
  {symbol: "USDC", convertId: "3408", network: "ethereum", contract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", decimals: 6},
  {symbol: "DAI", convertId: "4943", network: "bsc", contract: "0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3", decimals: 18},
  {symbol: "DAI", convertId: "4943", network: "ethereum", contract: "0x6B175474E89094C44Da98b954EedeAC495271d0F", decimals: 18},
  {symbol: "ALGO", convertId: "4030", network: "algorand", contract: null, decimals: 6},
  {symbol: "XRP", convertId: "52", network: "bsc", contract: "0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE", decimals: 18},
  {symbol: "ADA", convertId: "2010", network: "bsc", contract: "0x3EE2200Efb3400fAbB9AacF31297cBdD1d435D47", decimals: 18},
  {symbol: "DOT", convertId: "6636", network: "bsc", contract: "0x7083609fCE4d1d8Dc0C979AAb8c869Ea2C873402", decimals: 18},
  {symbol: "MATIC", convertId: "3890", network: "bsc", contract: "0xCC42724C6683B7E57334c4E856f4c9965ED682bD", decimals: 18},
  {symbol: "MATIC", convertId: "3890", network: "ethereum", contract: "0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0", decimals: 18},
  {symbol: "MATIC", convertId: "3890", network: "polygon", contract: null, decimals: 18},
  {symbol: "AVAX", convertId: "5805", network: "bsc", contract: "0x1CE0c2827e2eF14D5C4f29a091d735A204794041", decimals: 18},
  {symbol: "WBTC", convertId: "3717", network: "ethereum", contract: "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", decimals: 8},
  {symbol: "UNI", convertId: "7083", network: "bsc", contract: "0xBf5140A22578168FD562DCcF235E5D43A02ce9B1", decimals: 18},
  {symbol: "UNI", convertId: "7083", network: "ethereum", contract: "0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984", decimals: 18},
  {symbol: "LINK", convertId: "1975", network: "bsc", contract: "0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD", decimals: 18},
  {symbol: "LINK", convertId: "1975", network: "ethereum", contract: "0x514910771AF9Ca656af840dff83E8264EcF986CA", decimals: 18},
  {symbol: "MANA", convertId: "1966", network: "ethereum", contract: "0x0F5D2fB29fb7d3CFeE444a200298f468908cC942", decimals: 18},
  {symbol: "FTM", convertId: "3513", network: "bsc", contract: "0xAD29AbB318791D579433D831ed122aFeAf29dcfe", decimals: 18},
  {symbol: "FTM", convertId: "3513", network: "ethereum", contract: "0x4E15361FD6b4BB609Fa63C81A2be19d873717870", decimals: 18},]

/** Some lists give this system contract as the token address of Polygon's native coin. */
const POLYGON_COIN = '0x0000000000000000000000000000000000001010'

const byPair = new Map(knownTokens.map(token => [pairKey(token.convertId, token.network), token]))

function pairKey(convertId: string, network: string): string {
  return `${convertId}/${network}`
}

const symbols: ReadonlySet<string> = new Set(knownTokens.map(({symbol}) => symbol))

/** Whether the text, in any case, is the symbol of an asset in the table. */
export function isKnownSymbol(text: string): boolean {
  return symbols.has(text.toUpperCase())
}

/** Returns undefined for an unknown pair, and for a known pair with another contract. */
export function findToken({convertId, network, contract}: PairFacts): KnownToken | undefined {
  const token = byPair.get(pairKey(convertId, network))
  if (!token) return undefined
  const ownContract = network === 'polygon' && contract === POLYGON_COIN ? undefined : contract
  return (ownContract ?? '').toLowerCase() === (token.contract ?? '').toLowerCase() ? token : undefined
}

/** False for a pair that is not in the table. */
export function isNativeCoin(pair: PairFacts): boolean {
  return findToken(pair)?.contract === null
}

/** XRP, ADA, DOT and AVAX on BNB Smart Chain are tokens backed by coins of other chains. */
const pegged = new Set(['52/bsc', '2010/bsc', '6636/bsc', '5805/bsc'])

/** BUSD is no longer issued; MATIC has become POL, and FTM has become Sonic. */
const legacy = new Set(['4687', '3890', '3513'])

export function isPegged(convertId: string, network: string): boolean {
  return pegged.has(pairKey(convertId, network))
}

export function isLegacy(convertId: string): boolean {
  return legacy.has(convertId)
}
