// A wallet in the page, as an extension of the browser would be. It announces itself by EIP-6963, and sends exactly what it
// is asked to, on the network that it is on, also if the transaction names another one.

/** The element shows only this one in test mode. */
const RDNS = 'dev.crypto-checkout.sandbox'
const ACCOUNT = '0x5a11db0c5a11db0c5a11db0c5a11db0c5a11db0c'
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' fill='%232f5d50'/%3E%3Cpath d='M5 9h14v8H5z M5 9l9-3v3' fill='none' stroke='%23fff' stroke-width='1.6'/%3E%3Ccircle cx='16' cy='13' r='1.2' fill='%23fff'/%3E%3C/svg%3E"
const START_BALANCE = 100_000n

/** By chain id. */
export const networks = {'0x1': 'ethereum', '0x38': 'bsc', '0x89': 'polygon'}

/**
 * `tokens` are those of the sandbox, and `send` passes a transaction to it. `onChange` is called when `network`, `question`
 * or a balance has changed. `isAutomatic`: answers every question with yes.
 */
export function createBrowserWallet({tokens, send, onChange = () => {}, isAutomatic = false}) {
  const balances = new Map(tokens.map(token => [token, START_BALANCE * 10n ** BigInt(token.decimals)]))
  const announcements = new AbortController()
  let chainId = '0x1'
  let pending = null

  const wallet = {
    get network() {
      return networks[chainId]
    },
    /** What the page asks, as text; null if nothing. */
    get question() {
      return pending?.question ?? null
    },
    setNetwork(name) {
      chainId = Object.keys(networks).find(id => networks[id] === name) ?? chainId
      onChange()
    },
    confirm: () => answer(true),
    reject: () => answer(false),
    /** Of the network's coin, and of these symbols, on the current network. */
    balances(symbols) {
      return tokens
        .filter(({network}) => network === wallet.network)
        .filter(({contract, symbol}) => !contract || symbols.includes(symbol))
        .map(token => `${toDecimal(balances.get(token), token.decimals)} ${token.symbol}`)
    },
    announce() {
      const info = Object.freeze({uuid: RDNS, name: 'Sandbox wallet', icon: ICON, rdns: RDNS})
      const detail = Object.freeze({info, provider: Object.freeze({request})})
      const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}))
      window.addEventListener('eip6963:requestProvider', announce, {signal: announcements.signal})
      announce()
    },
    close: () => announcements.abort(),
  }
  return wallet

  async function request({method, params: [param] = []}) {
    switch (method) {
      case 'eth_requestAccounts':
        return [ACCOUNT]
      case 'eth_chainId':
        return chainId
      case 'wallet_switchEthereumChain':
        return switchTo(param.chainId)
      case 'eth_sendTransaction':
        return transact(param)
      default:
        throw problem(4200, `the wallet does not support ${method}`)
    }
  }

  async function switchTo(id) {
    if (!Object.hasOwn(networks, id)) throw problem(4902, 'Unrecognized chain ID')
    if (id === chainId) return null
    await ask(`Switch from ${networks[chainId]} to ${networks[id]}?`)
    chainId = id
    onChange()
    return null
  }

  async function transact({to, value = '0x0', data = '0x'}) {
    const isCoin = data === '0x'
    const token = tokens.find(
      ({network, contract}) =>
        network === wallet.network && (isCoin ? !contract : contract?.toLowerCase() === to.toLowerCase()),
    )
    const units = BigInt(isCoin ? value : `0x${data.slice(74)}`)
    const recipient = isCoin ? to : `0x${data.slice(34, 74)}`
    const amount = token ? `${toDecimal(units, token.decimals)} ${token.symbol}` : 'an unknown token'
    await ask(`Send ${amount} on ${wallet.network} to ${recipient}?`)
    if (!token) throw problem(-32000, 'the contract does not exist on this network')
    if (units > balances.get(token)) throw problem(-32000, 'insufficient funds')
    const sent = await send({network: wallet.network, to, value, data})
    if (!sent) throw problem(-32603, 'the sandbox did not take the transaction')
    balances.set(token, balances.get(token) - units)
    onChange()
    return sent.transactionId
  }

  function ask(question) {
    if (isAutomatic) return Promise.resolve()
    if (pending) throw problem(-32002, 'the wallet shows another request')
    return new Promise((resolve, reject) => {
      pending = {question, resolve, reject}
      onChange()
    })
  }

  function answer(isYes) {
    const asked = pending
    pending = null
    onChange()
    if (isYes) asked?.resolve()
    else asked?.reject(problem(4001, 'User rejected the request.'))
  }
}

function problem(code, message) {
  return Object.assign(new Error(message), {code})
}

function toDecimal(units, decimals) {
  const text = String(units).padStart(decimals + 1, '0')
  const [whole, places] = [text.slice(0, -decimals), text.slice(-decimals).replace(/0+$/, '')]
  return places ? `${whole}.${places}` : whole
}
