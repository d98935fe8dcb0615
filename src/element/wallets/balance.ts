/** Checks the balance before the wallet is asked, because wallets report a lack of funds in many ways, or not at all. */
import type {Clock} from '../../contract/clock.js'
import {decimal, toTrimmedText} from '../../contract/decimal.js'
import {dataFor} from './transaction.js'
import {feeCoins, type Provider, type WalletCall, type WalletQuote} from './wallet.js'

const TIMEOUT_MS = 2_000

/** What is missing: an amount of the quote's coin, or any of the coin that pays the network's fee. */
export interface Missing {
  readonly symbol: string
  /** Decimal text; null for the fee, which only the wallet knows. */
  readonly amount: string | null
}

/** Null if the wallet has enough. Also null if it fails or takes longer than two seconds: then the wallet decides. */
export async function missingFunds(
  provider: Provider,
  quote: WalletQuote,
  from: string,
  clock: Clock,
): Promise<Missing | null> {
  const {contract, baseUnits, symbol, chainId} = quote
  const due = BigInt(baseUnits)
  const params = [{to: contract ?? '', data: dataFor('balanceOf', from)}, 'latest'] as const
  const [coins, tokens] = await Promise.all([
    units({method: 'eth_getBalance', params: [from, 'latest']}),
    contract ? units({method: 'eth_call', params}) : null,
  ])
  const balance = contract ? tokens : coins
  if (balance !== null && balance < due) return {symbol, amount: amountOf(due - balance, quote)}
  const feeBalance = contract ? coins : coins !== null && coins - due
  return feeBalance === 0n ? {symbol: feeCoins[chainId] ?? symbol, amount: null} : null

  async function units(call: WalletCall): Promise<bigint | null> {
    const timeout = new AbortController()
    try {
      const late = clock.sleep(TIMEOUT_MS, timeout.signal).then(() => null)
      const result = await Promise.race([provider.request(call), late])
      return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? BigInt(result) : null
    } catch {
      return null
    } finally {
      timeout.abort()
    }
  }
}

/** Base units as an amount of the coin. Its decimals follow from the quote, which has the same amount in both forms. */
function amountOf(units: bigint, {amount, baseUnits}: WalletQuote): string {
  const due = decimal(amount)
  return toTrimmedText({units, scale: due.scale + baseUnits.length - String(due.units).length})
}
