/** Where on a page the element may be, and come to be. */
import assert from 'node:assert/strict'
import {it} from 'node:test'
import {until, type EnginePage} from '../../engines/engine.js'
import {TIMEOUT_MS, untilPart, untilPhase} from './customer.js'
import {inEveryEngine, script} from './every-engine.js'

inEveryEngine('the element', ({server, engine}) => {
  it('takes the attributes and properties that were set before the script was there', async () => {
    const page = await engine().openPage()
    const [written, set] = [await server().charge(), await server().charge()]
    const body = `<crypto-checkout charge-id="${written}" asset="USDT" network="bsc" logos="none"></crypto-checkout>
          <crypto-checkout id="set" logos="none"></crypto-checkout>`
    await page.goto(server().page('/early', {body}))
    await page.evaluate(chargeId => {
      Object.assign(document.querySelector('#set')!, {chargeId, asset: 'ETH'})
      const tag = document.createElement('script')
      Object.assign(tag, {type: 'module', src: '/cdn/crypto-checkout.js'})
      document.head.append(tag)
    }, set)
    await untilPhase(page, 'paying')
    const pairs = await page.evaluate(() =>
      [...document.querySelectorAll('crypto-checkout')].map(({chargeId, checkout}) => [
        chargeId,
        checkout?.quote?.asset,
      ]),
    )
    assert.deepEqual(pairs, [
      [written, '825'],
      [set, '1027'],
    ])
    await page.close()
  })

  it('keeps to its own charge beside others', async () => {
    const page = await engine().openPage()
    const charges = [await server().charge(), await server().charge(), await server().charge()]
    const body = charges
      .map(
        id => `<crypto-checkout charge-id="${id}" asset="825" network="bsc" logos="none"></crypto-checkout>`,
      )
      .join('')
    await page.goto(server().page('/three', {head: script, body}))
    await untilPhase(page, 'paying')
    const addresses = await shownAddresses(page)
    assert.equal(new Set(addresses).size, 3)
    server().pay(charges[1]!, '825', 'bsc')
    assert.ok(await until(page, TIMEOUT_MS, () => !!document.querySelector('crypto-checkout[phase=paid]')))
    const phases = await page.evaluate(() =>
      [...document.querySelectorAll('crypto-checkout')].map(({phase}) => phase),
    )
    assert.deepEqual(phases, ['paying', 'paid', 'paying'])
    await page.close()
  })

  it('in a low window, as at 400 %, has the page scroll and not the list in it', async () => {
    const page = await engine().openPage()
    await page.resize(640, 400)
    const body = `<crypto-checkout charge-id="${await server().charge()}" logos="none"></crypto-checkout>`
    await page.goto(server().page('/low', {head: script, body}))
    await untilPart(page, 'asset')
    const [shown, whole] = await page.evaluate(() => {
      const list = document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part=assets]')!
      return [list.clientHeight, list.scrollHeight]
    })
    assert.equal(shown, whole)
    await page.close()
  })

  it('moved to another place shows the same address, and notices the payment there', async () => {
    const {page, chargeId} = await paying('/moved')
    const before = await shownAddresses(page)
    await page.evaluate(() => {
      const place = document.createElement('section')
      document.body.prepend(place)
      place.append(document.querySelector('crypto-checkout')!)
    })
    assert.deepEqual(await shownAddresses(page), before)
    server().pay(chargeId, '825', 'bsc')
    await untilPhase(page, 'paid')
    await page.close()
  })

  it('removed asks nothing more, and added again goes on where it was', async () => {
    const {page, chargeId} = await paying('/removed')
    const before = await shownAddresses(page)
    await page.evaluate(() => {
      const element = document.querySelector('crypto-checkout')!
      Object.assign(window, {kept: element})
      element.remove()
    })
    server().pay(chargeId, '825', 'bsc')
    await page.evaluate(() => document.body.append((window as unknown as {kept: Element}).kept))
    assert.deepEqual(await shownAddresses(page), before)
    await untilPhase(page, 'paid')
    assert.deepEqual(await page.evaluate(() => troubles), [])
    await page.close()
  })

  it('stands in the shadow of another element, and its events reach the document', async () => {
    const page = await engine().openPage()
    const chargeId = await server().charge()
    await page.goto(server().page('/shadow', {head: script, body: '<div id="host"></div>'}))
    const told = await page.evaluate(
      chargeId =>
        new Promise<boolean>(resolve => {
          document.addEventListener('checkout-changed', event => resolve(event.target === host))
          const host = document.querySelector('#host')!
          const element = document.createElement('crypto-checkout')
          element.setAttribute('charge-id', chargeId)
          element.setAttribute('logos', 'none')
          host.attachShadow({mode: 'open'}).append(element)
        }),
      chargeId,
    )
    assert.ok(told)
    await page.close()
  })

  async function paying(path: string) {
    const page = await engine().openPage()
    const chargeId = await server().charge()
    const body = `<crypto-checkout charge-id="${chargeId}" asset="825" network="bsc" logos="none"></crypto-checkout>`
    await page.goto(server().page(path, {head: script, body}))
    await untilPhase(page, 'paying')
    await untilPart(page, 'qr')
    return {page, chargeId}
  }
})

function shownAddresses(page: EnginePage): Promise<(string | null | undefined)[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('crypto-checkout')].map(
      element => element.shadowRoot?.querySelector('[part~=address]')?.textContent,
    ),
  )
}
