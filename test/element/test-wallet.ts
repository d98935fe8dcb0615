/** A wallet in the page, which announces itself as EIP-6963 says and misbehaves as a test says. */
import type {Provider, Transaction, WalletCall} from '../../src/element/wallets/wallet.js'

export const SANDBOX_WALLET = 'dev.crypto-checkout.sandbox'
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

type Method = WalletCall['method']
/** How a wallet answers a method in place of its usual answer. */
export type Behaviour = {
  readonly [Name in Method]?: (call: Extract<WalletCall, {readonly method: Name}>) => unknown
}

const opened: TestWallet[] = []
afterEach(() => {
  for (const wallet of opened.splice(0)) wallet.close()
})

export class TestWallet implements Provider {
  account = '0x1111111111111111111111111111111111111111'
  /** In hexadecimal. */
  chainId = '0x38'
  readonly hash = `0x${'ab'.repeat(32)}`
  /** The name of each method that was called. */
  readonly calls: string[] = []
  readonly sent: Transaction[] = []
  behaviour: Behaviour = {}
  readonly #info
  readonly #isOpen = new AbortController()

  constructor(rdns = SANDBOX_WALLET, name = 'Sandbox wallet', icon = ICON) {
    this.#info = Object.freeze({uuid: `uuid of ${rdns}`, rdns, name, icon})
    opened.push(this)
  }

  /** Announces itself now, and whenever a page asks. */
  announce(): this {
    const announce = () => {
      const detail = Object.freeze({info: this.#info, provider: this})
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}))
    }
    window.addEventListener('eip6963:requestProvider', announce, {signal: this.#isOpen.signal})
    announce()
    return this
  }

  /** Injects itself as wallets did before EIP-6963. */
  inject(): this {
    Object.assign(window, {ethereum: this})
    return this
  }

  close(): void {
    this.#isOpen.abort()
    if (window.ethereum === this) Reflect.deleteProperty(window, 'ethereum')
  }

  async request(call: WalletCall): Promise<unknown> {
    this.calls.push(call.method)
    const respond = this.behaviour[call.method] as ((call: WalletCall) => unknown) | undefined
    return respond ? respond(call) : this.respond(call)
  }

  respond(call: WalletCall): unknown {
    switch (call.method) {
      case 'eth_requestAccounts':
        return [this.account]
      case 'eth_chainId':
        return this.chainId
      case 'wallet_switchEthereumChain':
        this.chainId = call.params[0].chainId
        return null
      case 'eth_getBalance':
      case 'eth_call':
        return `0x${'f'.repeat(32)}`
      case 'eth_sendTransaction':
        this.sent.push(call.params[0])
        return this.hash
    }
  }
}

/** A promise that a test resolves. */
export function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>(onResolve => (resolve = onResolve))
  return {promise, resolve}
}
