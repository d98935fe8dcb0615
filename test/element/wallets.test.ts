import {assert} from '@open-wc/testing'
import type {CheckoutSentEvent, CryptoCheckout} from '../../src/index.js'
import {claim, freeAll, recordHash} from '../../src/element/locks/lock.js'
import {checkout, onBsc, payment} from '../core/sample.js'
import {
  announced,
  Fixture,
  missing,
  part,
  parts,
  plain,
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

/** The methods of a payment of a token, in order. */
const TOKEN_CALLS = [
  'eth_requestAccounts',
  'eth_chainId',
  'eth_getBalance',
  'eth_call',
  'eth_sendTransaction',
]

const USDT = ['825', 'bsc'] as const
const BNB = ['1839', 'bsc'] as const

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
    const {element} = await new LiveFixture({environment: {loadWallets: missing}}).paying()
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

  it('are not read from window.ethereum in a frame, where some inject nothing that works, nor without a name or provider', async () => {
    new TestWallet().inject()
    const frame = document.body.appendChild(document.createElement('iframe'))
    replaceUntilEnd(window, {parent: frame.contentWindow!})
    const fixture = new LiveFixture()
    const {element} = await fixture.paying()
    for (const detail of [
      null,
      {},
      {info: {rdns: METAMASK, name: 'x'}},
      {info: {name: 'x'}, provider: new TestWallet()},
    ])
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}))
    window.dispatchEvent(new Event('eip6963:announceProvider'))
    await fixture.pass(3_000, element)
    assert.isNull(part(element, 'wallets'))
    frame.remove()
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

  it('show a safe name of at most 64 characters, their icon as an image of a data URI, or a monogram', async () => {
    new TestWallet('a.remote', `Re\u202emote${'x'.repeat(7_000)}`, 'https://icons.example/fox.png').announce()
    new TestWallet('a.broken', 'Broken', 'data:image/png;base64,AAAA').announce()
    const {element} = await new LiveFixture().paying()
    const [remote, broken] = parts(element, 'wallet')
    assert.isNull(remote?.querySelector('img') ?? null)
    assert.match(remote?.textContent ?? '', /^\s*R[^]*Remotex{58}(?!x)/)
    const image = broken?.querySelector('img') ?? assert.fail('no image')
    if (!image.hidden) await new Promise(resolve => image.addEventListener('error', resolve, {once: true}))
    assert.isTrue(image.hidden, 'the page blocks it')
    assert.match(broken?.textContent ?? '', /^\s*B/)
  })
})

describe('a payment with a wallet', () => {
  it('invariant 2: sends the amount on screen, shows the hash, and reports it once', async () => {
    const {wallet, fixture, element} = await payingWith()
    const events: CheckoutSentEvent[] = []
    element.addEventListener('checkout-sent', event => events.push(event))
    const before = fixture.requests.length
    await fixture.press(element, BUTTON)
    assert.deepEqual(wallet.calls, TOKEN_CALLS)
    const {baseUnits = '', contract} = quoteOf(element)
    assert.equal(wallet.sent[0]?.to, contract)
    assert.match(wallet.sent[0]?.data ?? '', new RegExp(`0${BigInt(baseUnits).toString(16)}$`))
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
    assert.isFalse(part(element, 'copy-address')?.checkVisibility())
    assert.isFalse(element.renderRoot.querySelector('.warning')?.checkVisibility())
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

  for (const [reason, text, isLocked, method = 'eth_sendTransaction'] of [
    [{code: 4001}, 'Nothing was sent. You can try again.', false],
    [
      {code: -32002},
      'Your wallet is already waiting for your answer. Open it and answer there.',
      false,
      'eth_requestAccounts',
    ],
    [{code: 'INSUFFICIENT_FUNDS'}, 'Nothing was sent: MetaMask may not have enough', false],
    [{code: 4100}, 'does not let this page ask', false],
    [{code: 4902}, 'Nothing was sent. Choose BNB Smart Chain in MetaMask, or add it there, then try', false],
    [undefined, 'Check in your wallet whether this payment was sent.', true],
  ] as const)
    it(`says what its failure means, and is locked only if it may have been sent: ${JSON.stringify(reason)}`, async () => {
      const {wallet, fixture, element} = await payingWith({[method]: reject(reason)})
      await fixture.press(element, BUTTON)
      assert.include(statusOf(element), text)
      assert.equal(part(element, 'wallet') === null, isLocked)
      assert.equal(part(element, 'send-again') !== null, isLocked)
      wallet.behaviour = {}
      if (isLocked) await fixture.press(element, 'send-again')
      await fixture.press(element, BUTTON)
      assert.lengthOf(wallet.sent, 1)
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
    assert.deepEqual(wallet.calls.slice(4), ['eth_sendTransaction'])
  })

  const PLENTY = `0x${'f'.repeat(32)}`
  const hex = (units: bigint) => `0x${units.toString(16)}`
  const balances: [
    string,
    readonly [string, string],
    (due: bigint) => readonly [coins: string, tokens: string],
    RegExp,
  ][] = [
    ['too little of a token', USDT, due => [PLENTY, hex(due - 10n ** 16n)], /MetaMask lacks 0\.01 USDT\.$/],
    ['none of a token', USDT, () => [PLENTY, `0x${'0'.repeat(64)}`], /lacks [\d.]+ USDT\.$/],
    [
      'a token, and nothing for the fee',
      USDT,
      () => ['0x0', PLENTY],
      /MetaMask lacks BNB\. The blockchain network fee is paid in BNB\.$/,
    ],
    ['too little of a coin', BNB, due => [hex(due - 1n), ''], /lacks 0\.000000000000000001 BNB\.$/],
    ['a coin, and nothing for the fee', BNB, due => [hex(due), ''], /lacks BNB\. The blockchain network fee/],
  ]
  for (const [name, pair, answers, text] of balances)
    it(`is not asked for when the wallet has ${name}: the page says what is missing, and locks nothing`, async () => {
      const {wallet, fixture, element} = await payingWith({}, pair)
      const {baseUnits = '', contract} = quoteOf(element)
      const [coins, tokens] = answers(BigInt(baseUnits))
      wallet.behaviour = {
        eth_getBalance: ({params}) => params[0] === wallet.account && params[1] === 'latest' && coins,
        eth_call: ({params}) =>
          params[0].to === contract &&
          params[0].data === `0x70a08231${wallet.account.slice(2).padStart(64, '0')}` &&
          tokens,
      }
      await fixture.press(element, BUTTON)
      assert.match(statusOf(element), text)
      assert.equal(plain(announced(element) ?? ''), statusOf(element))
      assert.lengthOf(wallet.sent, 0)
      assert.isNull(part(element, 'send-again'))
      wallet.behaviour = {}
      await fixture.press(element, BUTTON)
      assert.lengthOf(wallet.sent, 1)
    })

  for (const [name, answer] of [
    ['fails', () => Promise.reject(new Error('no such method'))],
    ['never comes', () => NEVER],
    ['is none', () => null],
    ['is no number', () => '0x'],
  ] as const)
    it(`is asked for when the answer about its balance ${name}`, async () => {
      const {wallet, fixture, element} = await payingWith({eth_getBalance: answer, eth_call: answer})
      await fixture.press(element, BUTTON)
      await fixture.pass(2_000, element)
      assert.lengthOf(wallet.sent, 1)
    })

  it('sends once when the button is clicked twice', async () => {
    const {wallet, fixture, element} = await payingWith()
    press(element, BUTTON)
    await fixture.press(element, BUTTON)
    assert.deepEqual(wallet.calls, TOKEN_CALLS)
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

  it('is locked also if the browser blocks the storage', async () => {
    const {wallet, fixture, element} = await payingWith()
    const refuse = () => assert.fail('blocked')
    replaceUntilEnd(Storage.prototype, {getItem: refuse, setItem: refuse})
    await fixture.press(element, BUTTON)
    await fixture.press(element, 'back')
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.choose(element, '825', 'bsc')
    assert.isNull(part(element, 'wallet'))
    assert.lengthOf(wallet.sent, 1)
    await fixture.press(element, 'send-again')
    assert.exists(part(element, 'wallet'))
  })
})

describe('what a wallet has sent', () => {
  /** The page after a wallet has sent, and no longer asks for money. */
  async function sent() {
    const opened = await payingWith()
    await opened.fixture.press(opened.element, BUTTON)
    return opened
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

  it('keeps the network and the usual time of what was sent, whatever is chosen next', async () => {
    const {fixture, element} = await sent()
    await fixture.press(element, 'back')
    await fixture.choose(element, '1027')
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
})
