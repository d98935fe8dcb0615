import {assert} from '@open-wc/testing'
import {decodeFunctionData, erc20Abi, getAddress, isHex} from 'viem'
import type {CheckoutSentEvent, CryptoCheckout} from '../../src/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {claim, freeAll, recordHash} from '../../src/element/locks/lock.js'
import {checkout, onBsc, payment, underpaid} from '../core/sample.js'
import {
  announced,
  Fixture,
  missing,
  part,
  parts,
  press,
  quoteOf,
  replaceUntilEnd,
  textOf,
  type FixtureOptions,
} from './fixture.js'
import {deferred, SANDBOX_WALLET, TestWallet, type Behaviour} from './test-wallet.js'

const METAMASK = 'io.metamask'
const BUTTON = `[data-wallet="${METAMASK}"]`
const NEVER = new Promise<never>(() => undefined)
const evmPairs = pairs.filter(({network}) => network !== 'algorand')

beforeEach(() => localStorage.clear())

/** Real wallets are not shown in test mode. */
class LiveFixture extends Fixture {
  constructor(options?: FixtureOptions) {
    super(options)
    this.rewrite(() => ({test: false}))
  }
}

/** A customer with a wallet, who sees what to send. */
async function payingWith(
  behaviour: Behaviour = {},
  [asset, network]: readonly [string, string] = ['825', 'bsc'],
) {
  const wallet = new TestWallet(METAMASK, 'MetaMask').announce()
  wallet.behaviour = behaviour
  const fixture = new LiveFixture()
  const {chargeId, element} = await fixture.paying(asset, network)
  return {wallet, fixture, chargeId, element}
}

/** Which wallets are offered. */
function offered(element: CryptoCheckout): (string | undefined)[] {
  return parts(element, 'wallet').map(button => button.dataset['wallet'])
}

function statusOf(element: CryptoCheckout): string {
  return textOf(element, 'wallet-status')
}

const reject = (reason: unknown) => () => Promise.reject(reason)

describe('wallets in the browser', () => {
  it('are loaded only after one has announced itself, once the QR code is on screen', async () => {
    const qrWhenLoaded: boolean[] = []
    const fixture = new LiveFixture()
    const {environment} = fixture.element()
    const loadWallets = () => {
      qrWhenLoaded.push(part(document.querySelector('crypto-checkout')!, 'qr') !== null)
      return environment.loadWallets()
    }
    const {element} = await fixture.paying('825', 'bsc', {environment: {...environment, loadWallets}})
    await fixture.pass(60_000, element)
    assert.deepEqual(qrWhenLoaded, [])
    assert.isNull(part(element, 'wallets'))
    new TestWallet(METAMASK, 'MetaMask').announce()
    await fixture.quiet(element)
    assert.deepEqual(qrWhenLoaded, [true])
    assert.equal(textOf(element, 'wallet'), 'M Pay with MetaMask')
    assert.include(textOf(element, 'wallets'), 'The blockchain network fee is paid in BNB.')
  })

  it('leave the address on screen if their chunk cannot be loaded', async () => {
    new TestWallet(METAMASK, 'MetaMask').announce()
    const fixture = new LiveFixture({environment: {loadWallets: missing}})
    const {element} = await fixture.paying()
    assert.equal(textOf(element, 'address'), quoteOf(element).address)
    assert.isNull(part(element, 'wallets'))
  })

  it('are not offered with wallets="none", on Algorand, and in other phases', async () => {
    const {wallet, fixture, element} = await payingWith()
    assert.exists(part(element, 'wallet'))
    element.wallets = 'none'
    await fixture.quiet(element)
    assert.isNull(part(element, 'wallets'))
    element.wallets = 'auto'
    await fixture.press(element, 'back')
    assert.isNull(part(element, 'wallets'))
    const algorand = (await fixture.paying('4030', 'algorand')).element
    assert.isNull(part(algorand, 'wallets'))
    assert.deepEqual(wallet.calls, [])
  })

  it('are read from window.ethereum only if none announces itself, and as late as wallets’ own browsers inject it', async () => {
    const fixture = new LiveFixture()
    const {element} = await fixture.paying()
    const wallet = new TestWallet().inject()
    assert.isNull(part(element, 'wallet'))
    await fixture.pass(300, element)
    assert.equal(part(element, 'wallet')?.dataset['wallet'], 'window.ethereum')
    assert.include(textOf(element, 'wallet'), 'Pay with your browser wallet')
    new TestWallet(METAMASK, 'MetaMask').announce()
    await fixture.quiet(element)
    assert.deepEqual(offered(element), [METAMASK])
    wallet.close()
    const later = (await fixture.paying()).element
    await fixture.pass(1_500, later)
    new TestWallet().inject()
    await fixture.pass(600, later)
    assert.exists(part(later, 'wallet'))
  })

  it('are not read from window.ethereum in a frame, where some inject nothing that works', async () => {
    new TestWallet().inject()
    replaceUntilEnd(window, {
      parent: document.body.appendChild(document.createElement('iframe')).contentWindow!,
    })
    const fixture = new LiveFixture()
    const {element} = await fixture.paying()
    await fixture.pass(3_000, element)
    assert.isNull(part(element, 'wallets'))
    document.querySelector('iframe')?.remove()
  })

  it('ignore announcements without a name or a provider', async () => {
    const fixture = new LiveFixture()
    const {element} = await fixture.paying()
    const details = [
      null,
      {},
      {info: {rdns: METAMASK, name: 'x'}},
      {info: {name: 'x'}, provider: new TestWallet()},
    ]
    for (const detail of details) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}))
    window.dispatchEvent(new Event('eip6963:announceProvider'))
    await fixture.quiet(element)
    assert.isNull(part(element, 'wallets'))
  })

  it('in test mode are only the sandbox’s, which is not shown with a live key', async () => {
    for (const rdns of [METAMASK, SANDBOX_WALLET]) new TestWallet(rdns, rdns).announce()
    new TestWallet().inject()
    for (const [fixture, shown] of [
      [new Fixture(), SANDBOX_WALLET],
      [new LiveFixture(), METAMASK],
    ] as const) {
      const {element} = await fixture.paying()
      await fixture.pass(1_000, element)
      assert.deepEqual(offered(element), [shown])
    }
  })

  it('are a button each, and only the one that was clicked is called', async () => {
    const {wallet, fixture, element} = await payingWith()
    const other = new TestWallet('com.trustwallet.app', 'Trust Wallet').announce()
    await fixture.quiet(element)
    const [first, second, ...more] = parts(element, 'wallet')
    assert.isEmpty(more)
    assert.deepEqual([...element.renderRoot.querySelectorAll('.primary:not(a)')], [first])
    assert.isFalse(second?.closest('details')?.open)
    assert.equal(textOf(element, 'wallets').includes('Trust Wallet'), false)
    await fixture.press(element, '[data-wallet="com.trustwallet.app"]')
    assert.lengthOf(other.sent, 1)
    assert.deepEqual(wallet.calls, [])
  })

  it('show their icon only as an image of a data URI, and a monogram if the page blocks it', async () => {
    const fixture = new LiveFixture()
    new TestWallet('a.remote', 'Remote', 'https://icons.example/fox.png').announce()
    new TestWallet('a.broken', 'Broken', 'data:image/png;base64,AAAA').announce()
    const {element} = await fixture.paying()
    const [remote, broken] = parts(element, 'wallet')
    assert.isNull(remote?.querySelector('img') ?? null)
    assert.match(remote?.textContent ?? '', /^\s*R/)
    const image = broken?.querySelector('img') ?? assert.fail('no image')
    if (!image.hidden) await new Promise(resolve => image.addEventListener('error', resolve, {once: true}))
    assert.isTrue(image.hidden)
    assert.match(broken?.textContent ?? '', /^\s*B/)
  })
})

describe('a payment with a wallet', () => {
  for (const {symbol, convertId, network} of evmPairs)
    it(`invariant 2: sends the amount on screen for ${symbol} on ${network}, without gas, price and nonce`, async () => {
      const {wallet, fixture, element} = await payingWith({}, [convertId, network])
      const {address, baseUnits = '', chainId, contract} = quoteOf(element)
      await fixture.press(element, BUTTON)
      await fixture.pass(500, element)
      const [transaction = assert.fail('nothing was sent')] = wallet.sent
      assert.equal(Number(transaction.chainId), chainId)
      assert.equal(transaction.from, wallet.account)
      if (contract === undefined) {
        assert.hasAllKeys(transaction, ['from', 'to', 'chainId', 'value'])
        assert.equal(transaction.to, address)
        assert.equal(BigInt(transaction.value ?? ''), BigInt(baseUnits))
      } else {
        assert.hasAllKeys(transaction, ['from', 'to', 'chainId', 'data'])
        assert.equal(transaction.to, contract)
        const {data} = transaction
        if (!isHex(data)) assert.fail('no data')
        const {functionName, args} = decodeFunctionData({abi: erc20Abi, data})
        assert.equal(functionName, 'transfer')
        assert.deepEqual(args, [getAddress(address), BigInt(baseUnits)])
      }
    })

  it('calls only the methods that it needs, shows the hash, and reports it once', async () => {
    const {wallet, fixture, element} = await payingWith()
    const events: CheckoutSentEvent[] = []
    element.addEventListener('checkout-sent', event => events.push(event))
    const before = fixture.requests.length
    await fixture.press(element, BUTTON)
    assert.deepEqual(wallet.calls, ['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction'])
    assert.equal(statusOf(element), 'Your wallet has sent the payment. This page will show when it arrives.')
    assert.include(textOf(element, 'wallets'), wallet.hash)
    assert.equal(announced(element), statusOf(element))
    assert.equal(element.phase, 'paying')
    assert.lengthOf(events, 1)
    const {detail, bubbles, composed} = events[0]!
    assert.equal(detail.hash, wallet.hash)
    assert.equal(detail.wallet, METAMASK)
    assert.equal(detail.checkout.chargeId, element.chargeId)
    assert.isTrue(Object.isFrozen(detail) && bubbles && composed)
    assert.isNull(part(element, 'wallet'))
    // Only the reading before it: the hash tells the server nothing.
    assert.isTrue(fixture.requests.slice(before).every(request => request.startsWith('GET')))
  })

  it('reports as steps that a wallet was opened, refused, opened again, and has sent', async () => {
    const {wallet, fixture, element} = await payingWith({eth_requestAccounts: reject({code: 4001})})
    const steps: unknown[] = []
    element.addEventListener('checkout-step', ({detail}) => steps.push(detail))
    await fixture.press(element, BUTTON)
    wallet.behaviour = {}
    await fixture.press(element, BUTTON)
    const pair = {asset: '825', network: 'bsc'}
    assert.deepEqual(
      steps,
      ['wallet-opened', 'wallet-refused', 'wallet-opened', 'sent'].map(step => ({step, ...pair})),
    )
  })

  it('shows each step', async () => {
    const [accounts, switched, hash] = [deferred<string[]>(), deferred<null>(), deferred<string>()]
    const {wallet, fixture, element} = await payingWith({
      eth_requestAccounts: () => accounts.promise,
      wallet_switchEthereumChain: () => switched.promise,
      eth_sendTransaction: () => hash.promise,
    })
    wallet.chainId = '0x1'
    await fixture.press(element, BUTTON)
    assert.equal(statusOf(element), 'Connect MetaMask to pay on BNB Smart Chain.')
    assert.include(textOf(element, 'wallets'), 'Confirm in MetaMask')
    assert.isNull(part(element, 'wallet'))
    accounts.resolve([wallet.account])
    await fixture.quiet(element)
    assert.equal(statusOf(element), 'Allow MetaMask to switch to BNB Smart Chain.')
    wallet.chainId = '0x38'
    switched.resolve(null)
    await fixture.pass(1_000, element)
    assert.equal(
      statusOf(element),
      'Compare amount, address and BNB Smart Chain in MetaMask, then confirm there.',
    )
    hash.resolve(wallet.hash)
    await fixture.quiet(element)
    assert.include(statusOf(element), 'Your wallet has sent the payment')
  })

  const changes: [string, (fixture: LiveFixture, element: CryptoCheckout) => void][] = [
    ['an alert', fixture => fixture.rewrite(() => ({alert: 'price_mismatch', payable: false, quote: null}))],
    ['not payable', fixture => fixture.rewrite(() => ({status: 'expired', payable: false, quote: null}))],
    [
      'another quote',
      (fixture, element) => fixture.rewrite(() => ({quote: {...quoteOf(element), baseUnits: '1'}})),
    ],
    ['no response', fixture => (fixture.intercept = missing)],
  ]
  for (const [name, change] of changes)
    it(`reads the checkout first, and stops on ${name}`, async () => {
      const {wallet, fixture, element} = await payingWith()
      change(fixture, element)
      await fixture.press(element, BUTTON)
      assert.deepEqual(wallet.calls, [])
      if (part(element, 'wallets')) assert.include(statusOf(element), 'Nothing was sent')
    })

  it('stops if the checkout changes while the wallet connects', async () => {
    const accounts = deferred<string[]>()
    const {wallet, fixture, element} = await payingWith({eth_requestAccounts: () => accounts.promise})
    await fixture.press(element, BUTTON)
    await fixture.press(element, 'back')
    accounts.resolve([wallet.account])
    await fixture.quiet(element)
    assert.notInclude(wallet.calls, 'eth_sendTransaction')
  })

  it('takes the account of the same click', async () => {
    const {wallet, fixture, element} = await payingWith({eth_sendTransaction: reject({code: 4001})})
    await fixture.press(element, BUTTON)
    wallet.account = '0x2222222222222222222222222222222222222222'
    wallet.behaviour = {}
    await fixture.press(element, BUTTON)
    assert.equal(wallet.sent[0]?.from, wallet.account)
  })

  it('waits after a switch, because the wallet’s chain lags behind', async () => {
    let usedChain = 1
    const {wallet, fixture, element} = await payingWith({
      wallet_switchEthereumChain: () => {
        void fixture.clock.sleep(400).then(() => (wallet.chainId = '0x38'))
        void fixture.clock.sleep(800).then(() => (usedChain = 56))
        return null
      },
      eth_sendTransaction: call => {
        assert.equal(usedChain, 56)
        return wallet.respond(call)
      },
    })
    wallet.chainId = '0x1'
    await fixture.press(element, BUTTON)
    for (let waited = 0; waited < 1_200; waited += 100) await fixture.pass(100, element)
    assert.lengthOf(wallet.sent, 1)
  })

  const unknownChain = Object.assign(new Error('Unrecognized chain ID'), {code: 4902})
  const wrapped = Object.assign(new Error(), {code: -32603, data: {originalError: unknownChain}})
  for (const [name, answer] of [
    ['an error', reject(unknownChain)],
    ['a wrapped error', reject(wrapped)],
    ['null', () => null],
  ] as const)
    it(`sends nothing and adds no network when the wallet does not know it, and answers with ${name}`, async () => {
      const {wallet, fixture, element} = await payingWith({wallet_switchEthereumChain: answer})
      wallet.chainId = '0x1'
      await fixture.press(element, BUTTON)
      for (let waited = 0; waited < 3_000; waited += 100) await fixture.pass(100, element)
      assert.equal(
        statusOf(element),
        'Nothing was sent. Choose BNB Smart Chain in MetaMask, or add it there, then try again.',
      )
      const methods = ['eth_requestAccounts', 'eth_chainId', 'wallet_switchEthereumChain']
      assert.sameMembers([...new Set(wallet.calls)], methods)
      wallet.chainId = '0x38'
      await fixture.press(element, BUTTON)
      assert.lengthOf(wallet.sent, 1)
    })

  it('continues when the switch succeeds, although the wallet reports an error', async () => {
    const {wallet, fixture, element} = await payingWith({
      wallet_switchEthereumChain: () => {
        wallet.chainId = '0x38'
        throw unknownChain
      },
    })
    wallet.chainId = '0x1'
    await fixture.press(element, BUTTON)
    await fixture.pass(500, element)
    assert.lengthOf(wallet.sent, 1)
  })

  it('always names the chain, so that a wallet that lies about its chain refuses', async () => {
    const {wallet, fixture, element} = await payingWith({
      eth_chainId: () => '0x38',
      eth_sendTransaction: call => {
        if (call.method === 'eth_sendTransaction' && call.params[0].chainId !== '0x1')
          throw new Error('the chain of the transaction is not the active one')
        return wallet.hash
      },
    })
    await fixture.press(element, BUTTON)
    assert.equal(statusOf(element), 'Check in your wallet whether this payment was sent.')
    assert.exists(part(element, 'send-again'))
  })

  const asked = ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_sendTransaction'] as const
  for (const reason of [
    {code: 4001, message: 'User rejected the request.'},
    {code: 5000, message: 'User rejected'},
    {code: 'ACTION_REJECTED', message: 'user action'},
    {code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.'},
    {code: -32603, message: 'Internal JSON-RPC error.', data: {originalError: {code: 4001}}},
    {message: 'User declined'},
    'Rejected by user',
  ])
    it(`goes back to the button, without a warning, after ${JSON.stringify(reason)}`, async () => {
      for (const method of asked) {
        const {wallet, fixture, element} = await payingWith({[method]: reject(reason)})
        wallet.chainId = method === 'wallet_switchEthereumChain' ? '0x1' : '0x38'
        await fixture.press(element, BUTTON)
        assert.equal(statusOf(element), 'Nothing was sent. You can try again.')
        assert.isNull(part(element, 'send-again'))
        assert.isNull(element.renderRoot.querySelector('[role=alert]'))
        wallet.behaviour = {}
        await fixture.press(element, BUTTON)
        await fixture.pass(500, element)
        assert.lengthOf(wallet.sent, 1)
        wallet.close()
        localStorage.clear()
      }
    })

  it('says that the wallet is asking already (-32002)', async () => {
    const {fixture, element} = await payingWith({
      eth_requestAccounts: reject({code: -32002, message: 'pending'}),
    })
    await fixture.press(element, BUTTON)
    assert.equal(
      statusOf(element),
      'Your wallet is already waiting for your answer. Open it and answer there.',
    )
    assert.exists(part(element, 'wallet'))
  })

  it('waits for a wallet that never answers, with a way back, and after a reload asks to look in the wallet', async () => {
    const {wallet, fixture, chargeId, element} = await payingWith({eth_sendTransaction: () => NEVER})
    await fixture.press(element, BUTTON)
    await fixture.pass(60_000, element)
    assert.include(statusOf(element), 'confirm there')
    assert.isNull(part(element, 'qr'))
    assert.equal(textOf(element, 'address'), quoteOf(element).address)
    await fixture.press(element, 'wallet-back')
    assert.include(part(element, 'qr')?.ariaLabel, quoteOf(element).address)
    assert.isNull(part(element, 'wallet'))
    element.remove()
    const again = await fixture.mount(chargeId)
    assert.equal(statusOf(again), 'Check in your wallet whether this payment was sent.')
    assert.isNull(part(again, 'wallet'))
    assert.deepEqual(wallet.calls.slice(2), ['eth_sendTransaction'])
  })

  it('shows the hash, or the button again, when a wallet answers after the customer went back', async () => {
    for (const isSent of [true, false]) {
      const answered = deferred<null>()
      const {wallet, fixture, element} = await payingWith({
        eth_sendTransaction: async call => {
          await answered.promise
          return isSent ? wallet.respond(call) : Promise.reject(new Error('User rejected'))
        },
      })
      await fixture.press(element, BUTTON)
      await fixture.press(element, 'wallet-back')
      assert.equal(statusOf(element), 'Check in your wallet whether this payment was sent.')
      assert.isNull(part(element, 'wallet'))
      assert.isNull(part(element, 'wallet-link'))
      answered.resolve(null)
      await fixture.quiet(element)
      assert.equal(part(element, 'wallet') === null, isSent)
      assert.equal(textOf(element, 'wallets').includes(wallet.hash), isSent)
      wallet.close()
      localStorage.clear()
    }
  })

  it('sends once when the button is clicked twice', async () => {
    const {wallet, fixture, element} = await payingWith()
    press(element, BUTTON)
    await fixture.press(element, BUTTON)
    assert.deepEqual(wallet.calls, ['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction'])
  })

  it('may change to another wallet until one is asked to send', async () => {
    const accounts = deferred<string[]>()
    const {wallet, fixture, element} = await payingWith({eth_requestAccounts: () => accounts.promise})
    const other = new TestWallet('com.trustwallet.app', 'Trust Wallet').announce()
    await fixture.press(element, BUTTON)
    await fixture.press(element, 'wallet-back')
    await fixture.press(element, '[data-wallet="com.trustwallet.app"]')
    assert.lengthOf(other.sent, 1)
    accounts.resolve([wallet.account])
    await fixture.quiet(element)
    assert.lengthOf(wallet.sent, 0)
  })

  it('is not repeated after a reload, until the customer says so', async () => {
    const {wallet, fixture, chargeId, element} = await payingWith()
    await fixture.press(element, BUTTON)
    element.remove()
    const again = await fixture.mount(chargeId)
    assert.include(statusOf(again), 'Your wallet has sent the payment')
    assert.include(textOf(again, 'wallets'), wallet.hash)
    assert.isNull(part(again, 'wallet'))
    wallet.close()
    await fixture.press(again, 'send-again')
    assert.isNull(part(again, 'send-again'))
    await fixture.press(again, BUTTON)
    assert.lengthOf(wallet.sent, 2)
  })

  it('ends when the proxy sees the money', async () => {
    const {fixture, element} = await payingWith()
    await fixture.press(element, BUTTON)
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
    assert.isNull(part(element, 'wallets'))
  })

  it('is locked also if the browser blocks the storage', async () => {
    const {wallet, fixture, element} = await payingWith()
    const refuse = () => assert.fail('blocked')
    replaceUntilEnd(Storage.prototype, {getItem: refuse, setItem: refuse})
    await fixture.press(element, BUTTON)
    await fixture.press(element, 'back')
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.press(element, '[data-asset="825"]')
    await fixture.press(element, '[data-network="bsc"]')
    assert.isNull(part(element, 'wallet'))
    assert.lengthOf(wallet.sent, 1)
    await fixture.press(element, 'send-again')
    assert.exists(part(element, 'wallet'))
  })

  for (const reason of [
    {message: 'already known: transaction rejected'},
    {message: 'context canceled'},
    {message: 'cancelled'},
    {code: -32603, message: 'Internal JSON-RPC error.'},
    {code: -32000, message: 'nonce too low'},
    undefined,
  ])
    it(`is locked when a wallet fails without saying for certain that it did not send: ${JSON.stringify(reason)}`, async () => {
      const {wallet, fixture, element} = await payingWith({eth_sendTransaction: reject(reason)})
      await fixture.press(element, BUTTON)
      assert.equal(statusOf(element), 'Check in your wallet whether this payment was sent.')
      assert.include(textOf(element, 'wallets'), 'MetaMask')
      assert.isNull(part(element, 'wallet'))
      wallet.behaviour = {}
      await fixture.press(element, 'send-again')
      await fixture.press(element, BUTTON)
      assert.lengthOf(wallet.sent, 1)
    })

  for (const [reason, text] of [
    [{code: -32000, message: 'insufficient funds for gas * price + value'}, 'may not have enough'],
    [
      {code: -32603, data: {originalError: {code: -32000, message: 'insufficient funds'}}},
      'may not have enough',
    ],
    [{code: 'CALL_EXCEPTION', message: 'missing revert data'}, 'may not have enough'],
    // As MetaMask's JSON-RPC engine wraps what ethers reports.
    [{code: -32603, data: {cause: {code: 'INSUFFICIENT_FUNDS'}}}, 'may not have enough'],
    [{code: -32603, data: {cause: {code: 'UNPREDICTABLE_GAS_LIMIT'}}}, 'may not have enough'],
    [{code: -32003, message: 'Insufficient funds for gas * price + value'}, 'may not have enough'],
    [{code: 4100, message: 'Unauthorized'}, 'does not let this page ask'],
    [{code: 5002, message: 'disapproved'}, 'does not let this page ask'],
    [{code: 4902, message: 'Unrecognized chain'}, 'Choose BNB Smart Chain in MetaMask'],
  ] as const)
    it(`takes no lock, and gives the reason, when nothing was sent for certain: ${JSON.stringify(reason)}`, async () => {
      const {fixture, element} = await payingWith({eth_sendTransaction: reject(reason)})
      await fixture.press(element, BUTTON)
      assert.match(statusOf(element), /^Nothing was sent/)
      assert.include(statusOf(element), text)
      assert.isNull(part(element, 'send-again'))
      assert.exists(part(element, 'wallet'))
    })

  for (const value of ['ok', '0x12', `0x${'g'.repeat(64)}`, `0x${'a'.repeat(65)}`, {hash: '0x'}, null])
    it(`takes nothing but 64 digits for the hash of a transaction: ${JSON.stringify(value)}`, async () => {
      const {fixture, element} = await payingWith({eth_sendTransaction: () => value})
      await fixture.press(element, BUTTON)
      assert.equal(statusOf(element), 'Check in your wallet whether this payment was sent.')
      assert.exists(part(element, 'send-again'))
    })
})

describe('what a wallet has sent', () => {
  /** The page after a wallet has sent, and no longer asks for money. */
  async function sent() {
    const opened = await payingWith()
    await opened.fixture.press(opened.element, BUTTON)
    return opened
  }

  /** A part of the price has arrived. */
  function withPayment(changes: Parameters<typeof payment>[0] = {}) {
    const {status, paid, due} = underpaid()
    return {status, paid, due, quote: null, payments: [payment(changes)]}
  }

  /** Nothing invites to pay again without a click on "Send again". */
  function assertNamed(element: CryptoCheckout, hash: string): void {
    assert.include(textOf(element, 'wallets'), hash)
    assert.exists(part(element, 'send-again'))
    for (const name of ['wallet', 'wallet-link', 'pay-remaining']) assert.isNull(part(element, name), name)
    for (const name of ['amount', 'address', 'qr'])
      assert.isFalse(part(element, name)?.checkVisibility() ?? false, `${name} is visible`)
  }

  it('ends the request for money: the heading waits, and the address is behind a disclosure', async () => {
    const {wallet, element} = await sent()
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'status'), 'Sent. Waiting for BNB Smart Chain')
    assertNamed(element, wallet.hash)
    const {nextElementSibling} = part(element, 'send-again') ?? assert.fail()
    assert.isNull(nextElementSibling, '"Send again" comes last')
    part(element, 'address')?.closest('details')?.setAttribute('open', '')
    assert.equal(textOf(element, 'amount'), quoteOf(element).amount)
    assert.equal(textOf(element, 'address'), quoteOf(element).address)
  })

  it('keeps the lock of a request that was sent when another open request is refused', async () => {
    for (const order of ['sent first', 'refused first']) {
      const answers = [deferred<string>(), deferred<string>()] as const
      const refused = reject({code: 4001})
      let asked = 0
      const {wallet, fixture, element} = await payingWith({
        eth_sendTransaction: () =>
          asked++ === 0 ? answers[0].promise : answers[1].promise.then(() => refused()),
      })
      await fixture.press(element, BUTTON)
      await fixture.press(element, 'wallet-back')
      await fixture.press(element, 'send-again')
      await fixture.press(element, BUTTON)
      const send = () => answers[0].resolve(wallet.hash)
      const refuse = () => answers[1].resolve('')
      for (const answer of order === 'sent first' ? [send, refuse] : [refuse, send]) {
        answer()
        await fixture.quiet(element)
      }
      assertNamed(element, wallet.hash)
      wallet.close()
      localStorage.clear()
    }
  })

  it('is named before and after another choice, also of a coin that no wallet here can pay', async () => {
    const {wallet, fixture, element} = await sent()
    await fixture.press(element, 'back')
    assert.include(textOf(element, 'wallets'), wallet.hash)
    assert.include(textOf(element, 'wallets'), 'USDT · BNB Smart Chain')
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.press(element, '[data-asset="4030"]')
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'status'), 'Sent. Waiting for BNB Smart Chain')
    assertNamed(element, wallet.hash)
    await fixture.press(element, 'send-again')
    assert.include(textOf(element, 'status'), 'ALGO on Algorand')
    assert.isTrue(part(element, 'address')?.checkVisibility())
  })

  it('keeps the network and the usual time of what was sent, whatever is chosen next', async () => {
    const {fixture, element} = await sent()
    await fixture.press(element, 'back')
    await fixture.press(element, '[data-asset="1027"]')
    await fixture.pass(200_000, element)
    const {textContent} = element.renderRoot.querySelector('.note') ?? assert.fail()
    assert.include(textContent, 'usually under a minute')
    assert.include(textOf(element, 'base'), 'it went to this address on BNB Smart Chain')
  })

  it('is locked also when the storage is full, and keeps what was written before', async () => {
    const lock = (requestId: string) => ({requestId, pair: onBsc, wallet: 'MetaMask', at: Date.now()})
    const before = checkout()
    assert.isTrue(await claim(before, lock('first')))
    await recordHash(before.chargeId, lock('first'), '0xaa')
    const listed = checkout({payments: [payment({transactionId: '0xAA'})]})
    replaceUntilEnd(Storage.prototype, {setItem: () => assert.fail('full')})
    assert.isTrue(await claim(listed, lock('second')))
    assert.isFalse(await claim(listed, lock('third')))
    await freeAll(listed.chargeId)
  })

  it('is named where no wallet announces itself, and with wallets="none"', async () => {
    const {wallet, fixture, chargeId, element} = await sent()
    element.remove()
    wallet.close()
    for (const wallets of ['auto', 'none'] as const) {
      const again = await fixture.mount(chargeId, {wallets})
      assertNamed(again, wallet.hash)
      again.remove()
    }
  })

  it('is free again when the checkout lists it: the rest can be paid at once', async () => {
    const {wallet, fixture, element} = await sent()
    const listed = {transactionId: wallet.hash.toUpperCase().replace('0X', '0x')}
    await fixture.report(element, withPayment(listed))
    assert.equal(element.phase, 'underpaid')
    assert.isNull(part(element, 'send-again'))
    assert.exists(part(element, 'pay-remaining'))
  })

  it('is named on an underpaid checkout that does not list it, before the rest can be paid', async () => {
    const {wallet, fixture, element} = await sent()
    await fixture.report(element, withPayment())
    assertNamed(element, wallet.hash)
    await fixture.press(element, 'send-again')
    assert.exists(part(element, 'pay-remaining'))
  })

  it('is said once: a transaction that was dropped is no longer waited for', async () => {
    const {wallet, fixture, element} = await sent()
    const dropped = payment({transactionId: wallet.hash, confirmed: false, dropped: true})
    await fixture.report(element, {test: false, payments: [dropped]})
    // The announcement that it was sent is over.
    await fixture.pass(6_000, element)
    assert.equal(element.phase, 'paying')
    assert.include(textOf(element, 'notice'), 'A payment did not arrive')
    assert.notInclude(textOf(element), 'will show when it arrives')
    assert.exists(part(element, 'wallet'))
  })

  it('names the wallet without control characters, and at most 64 characters of it', async () => {
    new TestWallet('a.b', `Meta\u202eMask${'x'.repeat(7_000)}`).announce()
    const {element} = await new LiveFixture().paying()
    const {textContent} = part(element, 'wallet') ?? assert.fail()
    assert.include(textContent, `MetaMask${'x'.repeat(56)}`)
    assert.notInclude(textContent, 'x'.repeat(57))
  })
})
