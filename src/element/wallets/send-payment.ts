/** Asks a wallet to pay. The rules come from failures of real wallets. */
import type {Clock} from '../../contract/clock.js'
import {toHex, transactionFor} from './transaction.js'
import type {Provider, WalletQuote} from './wallet.js'

const POLL_MS = 100
const SWITCH_MS = 2_000
/** After a switch a wallet may report the new chain before it uses it. */
const SETTLE_MS = 500

export type SendStep = 'connecting' | 'switching' | 'confirming'

export type Failure =
  /** The customer said no, or the wallet has no account: nothing was sent. */
  | 'refused'
  /** The wallet shows an earlier request. */
  | 'asking'
  /** The wallet is on another network. */
  | 'network'
  /** `mayContinue` resolved to false: nothing was sent. */
  | 'changed'
  /** The wallet was asked to send, and returned neither a hash nor a refusal. */
  | 'unsure'

/**
 * Waits for the wallet without a limit, because a customer may take long. Does not reject.
 *
 * @param mayContinue called right before the wallet is asked to send; resolves to false when it must not
 * @returns the transaction hash, or why there is none
 */
export async function sendPayment(
  provider: Provider,
  quote: WalletQuote,
  clock: Clock,
  mayContinue: () => Promise<boolean>,
  onStep: (step: SendStep) => void,
): Promise<{readonly hash: string} | Failure> {
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
    if (!(await mayContinue())) return 'changed'
    onStep('confirming')
    isAsked = true
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [transactionFor(quote, from)],
    })
    return typeof hash === 'string' && hash ? {hash} : 'unsure'
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
      if (failureOf(error)) throw error
    }
  }
}

/** Wallets report a refusal with various codes, or only in words, and some wrap the original error. */
function failureOf(error: unknown): 'refused' | 'asking' | undefined {
  const texts = [error, field(field(error, 'data'), 'originalError')].flatMap(each =>
    [each, field(each, 'code'), field(each, 'message')].map(String),
  )
  if (texts.some(text => /^(4001|5000)$|reject|denied|declin|cancel/i.test(text))) return 'refused'
  return texts.includes('-32002') ? 'asking' : undefined
}

/** Undefined if the value has no such field. */
function field(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined
}
