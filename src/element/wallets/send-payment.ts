/** Asks a wallet to pay. The rules come from failures of real wallets. */
import type {Clock} from '../../contract/clock.js'
import {missingFunds, type Missing} from './balance.js'
import {toHex, transactionFor} from './transaction.js'
import type {Provider, WalletQuote} from './wallet.js'

const POLL_MS = 100
const SWITCH_MS = 2_000
/** After a switch a wallet may report the new chain before it uses it. */
const SETTLE_MS = 500

export type SendStep = 'connecting' | 'switching' | 'confirming'

/** Nothing was sent. */
export type NotSent =
  /** The customer said no, or the wallet has no account. */
  | 'refused'
  /** The wallet does not let this page ask for a payment. */
  | 'forbidden'
  /** The wallet is on another network. */
  | 'network'
  /** Too little of the coin, or of the coin that pays the network's fee. */
  | 'funds'
  /** `mayContinue` resolved to false. */
  | 'changed'

export type Failure =
  | NotSent
  /** The wallet shows an earlier request. */
  | 'asking'
  /** The wallet was asked to send, and neither a hash nor a certain failure came back. */
  | 'unsure'

/** A transaction hash of an EVM chain. Anything else that a wallet returns is no evidence. */
const HASH = /^0x[0-9a-f]{64}$/i
/** Texts are no evidence either, unless they name the user: nodes also say "canceled" and "rejected" after a transaction was sent. */
const REFUSED_BY_USER =
  /^(MetaMask Tx Signature: )?User (denied|rejected|declined|refused|disapproved|cancell?ed)\b|\bby (the )?user\.?$/i

/**
 * Waits for the wallet without a limit, because a customer may take long. Does not reject.
 *
 * @param mayContinue called right before the wallet is asked to send; resolves to false when it must not
 * @returns the transaction hash, what the wallet has too little of, or why there is no hash
 */
export async function sendPayment(
  provider: Provider,
  quote: WalletQuote,
  clock: Clock,
  mayContinue: () => Promise<boolean>,
  onStep: (step: SendStep) => void,
): Promise<{readonly hash: string} | Missing | Failure> {
  let isAsked = false
  try {
    const accounts = await provider.request({method: 'eth_requestAccounts'})
    const from = field(accounts, '0')
    if (typeof from !== 'string') return 'refused'
    if (!(await isOnChain())) {
      onStep('switching')
      await switchChain()
      for (let waited = 0; !(await isOnChain()); waited += POLL_MS) {
        if (waited >= SWITCH_MS) return 'network'
        await clock.sleep(POLL_MS)
      }
      await clock.sleep(SETTLE_MS)
    }
    const missing = await missingFunds(provider, quote, from, clock)
    if (missing) return missing
    if (!(await mayContinue())) return 'changed'
    onStep('confirming')
    isAsked = true
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [transactionFor(quote, from)],
    })
    return typeof hash === 'string' && HASH.test(hash) ? {hash} : 'unsure'
  } catch (error) {
    return failureOf(error) ?? (isAsked ? 'unsure' : 'refused')
  }

  async function isOnChain(): Promise<boolean> {
    return Number(await provider.request({method: 'eth_chainId'})) === quote.chainId
  }

  /** The chain decides, not the result: some wallets return null or wrap the error if they do not know the network. */
  async function switchChain(): Promise<void> {
    try {
      const params = [{chainId: toHex(quote.chainId)}] as const
      await provider.request({method: 'wallet_switchEthereumChain', params})
    } catch (error) {
      const failure = failureOf(error)
      if (failure && failure !== 'network') throw error
    }
  }
}

type Certain = Exclude<Failure, 'changed' | 'unsure'>

/** By code: of EIP-1193, EIP-1474, WalletConnect and ethers. */
const failures: ReadonlyMap<unknown, Certain> = new Map<unknown, Certain>([
  [4001, 'refused'],
  [5000, 'refused'],
  ['ACTION_REJECTED', 'refused'],
  [4100, 'forbidden'],
  [5002, 'forbidden'],
  [4902, 'network'],
  ['INSUFFICIENT_FUNDS', 'funds'],
  ['CALL_EXCEPTION', 'funds'],
  // Of the estimate before the wallet signs.
  ['UNPREDICTABLE_GAS_LIMIT', 'funds'],
  [-32002, 'asking'],
])

/** What an error says for certain. Some wallets wrap the original one, MetaMask's libraries in two ways. */
function failureOf(error: unknown): Certain | undefined {
  const data = field(error, 'data')
  for (const each of [error, field(data, 'cause'), field(data, 'originalError')]) {
    const text = String(typeof each === 'string' ? each : field(each, 'message'))
    const code = field(each, 'code')
    if ((code === -32000 || code === -32003) && /insufficient funds/i.test(text)) return 'funds'
    const failure = failures.get(code) ?? (REFUSED_BY_USER.test(text) ? 'refused' : undefined)
    if (failure) return failure
  }
  return undefined
}

/** Undefined if the value has no such field. */
function field(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined
}
