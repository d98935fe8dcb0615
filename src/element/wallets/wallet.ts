import type {Checkout, Quote} from '../../contract/checkout.js'

/** The only wallet that is shown in test mode: the sandbox's. It is shown in no other mode. */
export const SANDBOX_WALLET = 'dev.crypto-checkout.sandbox'

/** A wallet in the customer's browser. */
export interface Wallet {
  /** Its reverse domain name (EIP-6963), or `window.ethereum`. */
  readonly id: string
  /** Empty for `window.ethereum`, which has no name. */
  readonly name: string
  /** A data URI of an image, or empty. */
  readonly icon: string
  readonly provider: Provider
}

/** With the text of its button. */
export interface LabelledWallet extends Wallet {
  readonly label: string
}

/** The coin of the network fee, by chain. */
export const feeCoins: Readonly<Record<number, string>> = {1: 'ETH', 56: 'BNB', 137: 'POL'}

/** EIP-1193. No other method may be called: scanners block payment pages that ask for signatures or approvals. */
export interface Provider {
  request(call: WalletCall): Promise<unknown>
}

export type WalletCall =
  | {readonly method: 'eth_requestAccounts' | 'eth_chainId'}
  | {readonly method: 'wallet_switchEthereumChain'; readonly params: readonly [{readonly chainId: string}]}
  | {readonly method: 'eth_getBalance'; readonly params: readonly [account: string, block: 'latest']}
  | {
      readonly method: 'eth_call'
      readonly params: readonly [{readonly to: string; readonly data: string}, block: 'latest']
    }
  | {readonly method: 'eth_sendTransaction'; readonly params: readonly [Transaction]}

/** Numbers are hexadecimal with `0x`. The wallet adds gas, price and nonce. */
export interface Transaction {
  readonly from: string
  readonly to: string
  readonly chainId: string
  readonly value?: string
  readonly data?: string
}

/** A quote that a wallet of an EVM chain can pay. */
export type WalletQuote = Quote & {readonly chainId: number; readonly baseUnits: string}

/** A token has a standard, and needs its contract. */
export function isForWallets(quote: Quote): quote is WalletQuote {
  const {chainId, baseUnits, standard, contract} = quote
  return !!chainId && !!baseUnits && (!standard || !!contract)
}

/** Whether a wallet may be shown: real money sent to an address of test mode is lost. */
export function isAllowed({id}: Wallet, {test}: Checkout): boolean {
  return test === (id === SANDBOX_WALLET)
}
