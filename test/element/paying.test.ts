import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import vectors from '../fixtures/vectors.json' with {type: 'json'}
import {unitsOf} from '../exact.js'
import {drawn, read} from './decode-qr.js'
import {
  announced,
  choosing,
  container,
  Fixture,
  hanging,
  missing,
  part,
  paying,
  plain,
  press,
  quoteOf,
  recordClipboard,
  replaceUntilEnd,
  textOf,
} from './fixture.js'

/** Quotes may be renewed after a minute. */
const quickly = {proxy: {quoteTtl: 60_000}}

describe('paying', () => {
  it('confirms a copy visually and for screen readers, changes nothing else, and forgets it with the charge', async () => {
    const {fixture, element} = await paying()
    recordClipboard()
    const others = () => {
      const copy = part(element, 'base')?.cloneNode(true)
      if (!(copy instanceof Element)) return ''
      for (const changing of copy.querySelectorAll('[part=copy-address], [role=status], [part=countdown]'))
        changing.remove()
      return copy.innerHTML
    }
    const before = others()
    await fixture.press(element, 'copy-address')
    assert.equal(textOf(element, 'copy-address'), 'Copied')
    assert.equal(announced(element), 'Address copied')
    assert.equal(others(), before)
    await fixture.press(element, 'copy-amount')
    assert.equal(part(element, 'copy-address')?.ariaLabel, 'Copy address')
    assert.isNull(part(element, 'copy-amount')?.ariaLabel ?? null)
    await fixture.pass(2_000, element)
    assert.equal(part(element, 'copy-amount')?.ariaLabel, 'Copy amount')
    await fixture.pass(3_000, element)
    assert.equal(announced(element), '')
    await fixture.press(element, 'copy-address')
    element.chargeId = (await fixture.paying()).chargeId
    await fixture.quiet(element)
    assert.equal(textOf(element, 'copy-address'), 'Copy')
  })

  it('falls back to execCommand when the clipboard is refused or does not settle in a second, then to selected text', async () => {
    const {fixture, element} = await paying()
    let selected = ''
    replaceUntilEnd(navigator.clipboard, {writeText: missing})
    replaceUntilEnd(document, {
      execCommand: () => !!(selected = copy(element.shadowRoot?.activeElement ?? element)),
    })
    await fixture.press(element, 'copy-address')
    assert.equal(selected, quoteOf(element).address)
    assert.equal(textOf(element, 'copy-address'), 'Copied')
    replaceUntilEnd(document, {execCommand: () => false})
    await fixture.press(element, 'copy-amount')
    assert.equal(textOf(element, 'copy-amount'), 'Copy')
    assert.include(textOf(element), 'Your browser blocked copying')
    assert.include(announced(element), 'copy it')

    element.remove()
    const {element: other} = await fixture.paying()
    replaceUntilEnd(navigator.clipboard, {writeText: hanging})
    await fixture.press(other, 'copy-address')
    assert.notInclude(textOf(other), 'copy it with your keyboard')
    await fixture.pass(1_000, other)
    assert.include(textOf(other), 'copy it with your keyboard')
    // WebKit reports the parent of the host in place of a node in a shadow tree.
    assert.include([part(other, 'address'), other.parentNode], getSelection()?.anchorNode)
  })

  it('copies exactly what it shows, although a listener of the page copies something else', async () => {
    const {fixture, element} = await paying()
    const attack = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', '0xattacker')
      event.preventDefault()
    }
    document.addEventListener('copy', attack)
    try {
      for (const name of ['amount', 'address'] as const)
        assert.equal(copy(part(element, name) ?? assert.fail()), quoteOf(element)[name])
      replaceUntilEnd(navigator.clipboard, {writeText: missing})
      replaceUntilEnd(document, {
        execCommand: () => copy(element.shadowRoot?.activeElement ?? element) !== '',
      })
      await fixture.press(element, 'copy-address')
      assert.equal(textOf(element, 'copy-address'), 'Copied')
      // This one comes first, and nothing can be done but to say so.
      document.removeEventListener('copy', attack)
      document.addEventListener('copy', attack, true)
      await fixture.press(element, 'copy-amount')
      assert.equal(textOf(element, 'copy-amount'), 'Copy')
      assert.include(textOf(element), 'Your browser blocked copying')
    } finally {
      document.removeEventListener('copy', attack)
      document.removeEventListener('copy', attack, true)
    }
  })

  it('says in the heading what to do, then has amount and address, each once, the steps, and on paper the time', async () => {
    const {fixture, element} = await paying()
    const {amount, address} = quoteOf(element)
    const textAt = (selector: string) => plain(element.renderRoot.querySelector(selector)?.textContent ?? '')
    assert.equal(textOf(element, 'status'), `Send ${amount} USDT on BNB Smart Chain`)
    const names = ['network', 'amount', 'address']
    const found = [...element.renderRoot.querySelectorAll('[part]')].map(({part}) => String(part))
    assert.deepEqual(
      found.filter(name => names.includes(name)),
      names,
    )
    assert.isTrue(part(element, 'status')?.contains(part(element, 'network')))
    assert.equal(textOf(element, 'address'), address)
    assert.equal(textOf(element, 'price'), '$100.00')
    assert.match(textAt('.on-paper'), /^Pay by .*\d{1,2}:\d\d.* \S+$/)
    assert.equal(textOf(element, 'steps'), 'waiting seen confirmed')
    assert.equal(textAt('[aria-current=step]'), 'waiting')
    assert.include(textOf(element), 'usually under a minute')
    await fixture.pay(element, {confirmed: false})
    assert.equal(element.phase, 'confirming')
    assert.equal(textAt('[aria-current=step]'), 'seen')
    assert.include(textOf(element), 'You can close this page; keep the transaction ID.')
  })

  it('leaves at least four characters on the last line of the address, at any width', async () => {
    const {element} = await paying()
    const address = part(element, 'address') ?? assert.fail()
    for (let width = 280; width <= 720; width += 10) {
      container().style.inlineSize = `${width}px`
      const characters = [...address.querySelectorAll('span')].flatMap(({childNodes}) => {
        const text = [...childNodes].find(node => node instanceof Text) ?? assert.fail()
        return [...text.data].map((_, index) => {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + 1)
          return Math.round(range.getBoundingClientRect().top)
        })
      })
      const last = characters.filter(top => top === Math.max(...characters))
      assert.isAtLeast(last.length, 4, `${width} px`)
    }
  })

  it('keeps the amount on one line and the switch of the QR code within the card, also with the largest text of a browser', async () => {
    const fixture = new Fixture()
    const amount = '123456789.123456789012345678'
    fixture.rewrite(({quote}) => ({quote: quote && {...quote, amount}}))
    const {element} = await fixture.paying()
    assert.equal(textOf(element, 'amount'), amount)
    for (const size of ['16px', '32px'])
      for (const width of [320, 390, 560, 720]) {
        element.style.setProperty('--checkout-font-size', size)
        container().style.inlineSize = `${width}px`
        const where = `${size}, ${width} px`
        const switchWidth = part(element, 'qr-switch')?.getBoundingClientRect().width ?? Infinity
        assert.isAtMost(switchWidth, (part(element, 'base')?.clientWidth ?? 0) - 32, where)
        const right = element.getBoundingClientRect().right
        for (const number of element.renderRoot.querySelectorAll('.number')) {
          const range = document.createRange()
          range.selectNodeContents(number)
          assert.lengthOf([...range.getClientRects()], 1, where)
          assert.isAtMost(range.getBoundingClientRect().right, right, where)
        }
      }
  })

  it('draws both QR codes 240 to 280 px wide in a card of at least 640 px', async () => {
    const {fixture, element} = await paying()
    for (const width of [640, 680, 720]) {
      container().style.inlineSize = `${width}px`
      for (let form = 0; form < 2; form++) {
        const side = part(element, 'qr')?.getBoundingClientRect().width ?? 0
        assert.isTrue(side >= 240 && side <= 280, `${side} px in ${width} px`)
        await fixture.press(element, 'qr-switch')
      }
    }
  })

  it('says what to do after the usual time of the network, with the payment number', async () => {
    for (const [pair, seconds] of [
      [['825', 'bsc'], 60],
      [['1027', 'ethereum'], 180],
    ] as const) {
      const {fixture, chargeId, element} = await paying({}, ...pair)
      await fixture.pass((seconds - 1) * 1_000, element)
      assert.notInclude(textOf(element), chargeId)
      await fixture.pass(11_000, element)
      assert.include(textOf(element), 'Sent it, but nothing happens?')
      assert.include(textOf(element), chargeId)
    }
  })

  it('draws the QR code dark on light with a quiet zone, describes it, and starts with the form of the attribute', async () => {
    for (const qr of ['address', 'request'] as const) {
      const {element} = await paying({}, '825', 'bsc', {theme: 'dark', qr})
      const {amount, address, uri} = quoteOf(element)
      assert.equal(await decoded(element), qr === 'request' ? uri : address)
      const svg = part(element, 'qr')
      assert.equal(svg?.getAttribute('role'), 'img')
      for (const text of [amount, address]) assert.include(svg?.getAttribute('aria-label'), text)
      const [light, dark] = [...(svg?.querySelectorAll('path') ?? [])]
      assert.equal(light?.getAttribute('fill'), '#fff')
      assert.equal(dark?.getAttribute('fill'), '#000')
      assert.isTrue(dark?.getAttribute('d')?.startsWith('M4 4h7'))
    }
  })

  it('names the network and token standard, also on the QR frame, and warns about other networks', async () => {
    const {fixture, element} = await paying({}, '52', 'bsc')
    assert.equal(part(element, 'network')?.textContent, 'BNB Smart Chain')
    assert.equal(
      plain(element.renderRoot.querySelector('figcaption')?.textContent ?? ''),
      'BNB Smart Chain BEP-20',
    )
    assert.include(textOf(element), 'Send only XRP on BNB Smart Chain (BEP-20)')
    assert.include(textOf(element), 'not XRP on its own chain')
    const eth = (await fixture.paying('1027', 'ethereum')).element
    assert.include(textOf(eth), 'Send only ETH on Ethereum:')
  })

  it('invariant 4: offers a renewal after refreshAfter, renews only on the customer’s action, keeps the address, and names the previous amount', async () => {
    const {fixture, element} = await paying(quickly, '1027', 'ethereum')
    const {amount, address} = quoteOf(element)
    fixture.sandbox.setPrice('1027', 1_000)
    await fixture.pass(59_000, element)
    assert.isNull(part(element, 'renew'))
    await fixture.pass(11_000, element)
    assert.equal(textOf(element, 'amount'), amount)
    press(element, 'renew')
    await element.updateComplete
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'amount'), amount)
    await fixture.quiet(element)
    assert.notEqual(textOf(element, 'amount'), amount)
    assert.equal(textOf(element, 'address'), address)
    assert.include(textOf(element, 'notice'), `it was ${amount}`)
    assert.include(plain(announced(element) ?? ''), `it was ${amount}`)
    await fixture.pass(70_000, element)
    await fixture.press(element, 'renew')
    assert.include(textOf(element, 'notice'), 'The amount is unchanged')
    await fixture.report(element, {stale: true})
    assert.include(announced(element), 'cannot be reached right now')
  })

  it('invariant 1: activates nothing if the payment chunk cannot be loaded', async () => {
    const {fixture, element} = await choosing({environment: {loadPayment: missing}})
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(fixture.sandbox.calls.convert, 0)
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'load_failed')
  })

  it('shows an error when the payment chunk of a resumed quote cannot be loaded, and tries again', async () => {
    const fixture = new Fixture()
    const {chargeId} = await fixture.paying()
    const {environment} = fixture.element()
    const element = await fixture.mount(chargeId, {environment: {...environment, loadPayment: missing}})
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'load_failed')
    element.environment = environment
    await fixture.pass(2_000, element)
    assert.equal(element.phase, 'paying')
  })
})

describe('invariant 2: screen, clipboard, QR code and wallet link contain one string', () => {
  for (const {symbol, convertId, network, decimals} of pairs)
    it(`for ${symbol} on ${network}`, async () => {
      const {fixture, element} = await paying({}, convertId, network)
      await assertOneString(fixture, element, decimals)
    })

  for (const [amount] of vectors.ceilUnits)
    it(`when the service responds with ${amount}`, async () => {
      const fixture = new Fixture()
      fixture.sandbox.fault('convert', {kind: 'badAmount', amount: String(amount)})
      const {element} = await fixture.paying()
      await assertOneString(fixture, element, 18)
    })
})

async function assertOneString(fixture: Fixture, element: CryptoCheckout, decimals: number): Promise<void> {
  const {amount, address, uri, baseUnits} = quoteOf(element)
  assert.equal(part(element, 'amount')?.textContent, amount)
  assert.equal(part(element, 'address')?.textContent, address)
  const copied = recordClipboard()
  press(element, 'copy-amount')
  await fixture.press(element, 'copy-address')
  assert.deepEqual(copied, [amount, address])
  assert.equal(await decoded(element), address)
  if (uri === undefined || String(baseUnits).length > 21) return assert.isNull(part(element, 'qr-switch'))
  await fixture.press(element, 'qr-switch')
  assert.equal(await decoded(element), uri)
  assert.equal(part(element, 'wallet-link')?.getAttribute('href'), uri)
  assert.equal(String(baseUnits), String(unitsOf(amount, decimals)))
  assert.include(uri, `=${String(baseUnits)}`)
}

async function decoded(element: CryptoCheckout): Promise<string | undefined> {
  const svg = part(element, 'qr')?.cloneNode(true)
  return svg instanceof SVGElement ? read(await drawn(svg)) : undefined
}

/** As the command of a browser: what the clipboard then has. */
function copy(target: Element): string {
  const clipboardData = new DataTransfer()
  const event = new ClipboardEvent('copy', {bubbles: true, composed: true, cancelable: true})
  // Firefox has it only in the events of its own.
  Object.defineProperty(event, 'clipboardData', {value: clipboardData})
  if (!target.dispatchEvent(event)) return clipboardData.getData('text/plain')
  return target instanceof HTMLTextAreaElement ? target.value : target.textContent
}
