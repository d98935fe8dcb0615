// With the files of docs/testing.md: a dialog, and elements that are left in the page.
import 'crypto-checkout'
import {startShop} from './shop.js'

const {document, expect, test} = globalThis

const untilRendered = () => new Promise(resolve => setTimeout(resolve, 50))

async function mount(properties) {
  const {sandbox, checkout, chargeId} = await startShop()
  const element = document.createElement('crypto-checkout')
  const fetch = (url, init) => checkout.fetch(new Request(url, init))
  document.body.append(Object.assign(element, {chargeId, fetch, ...properties}))
  const until = async isTrue => {
    while (!isTrue()) await untilRendered()
  }
  return {sandbox, chargeId, element, until, find: selector => element.shadowRoot.querySelector(selector)}
}

test('a dialog is opened, paid in and closed', async () => {
  const {sandbox, chargeId, element, until, find} = await mount({modal: true})
  let closed = 0
  element.addEventListener('checkout-closed', () => closed++)
  await untilRendered()
  expect([element.phase, find('dialog').open]).toEqual(['loading', false])
  element.show()
  await until(() => element.phase === 'choosing' && find('dialog').open)
  find('[data-asset="825"]').click()
  await until(() => find('[data-network="bsc"]'))
  find('.nested').dispatchEvent(new Event('animationend'))
  find('[data-network="bsc"]').click()
  await until(() => find('[part=address]'))
  sandbox.pay(chargeId, {asset: 'USDT', network: 'bsc', amount: 'less'})
  sandbox.moveClock(1_000)
  await element.refresh()
  await until(() => element.phase === 'underpaid')
  find('[part=close]').click()
  await until(() => find('[part=leave-dialog]').open)
  find('[part=leave-confirm]').click()
  await until(() => !find('dialog').open)
  expect([closed, find('[part=leave-dialog]').open]).toEqual([1, false])
})

// With the focus of the former, and in each phase.
for (const modal of [false, true])
  for (const delay of [0, 20, 100, 500])
    test(`${modal ? 'a dialog' : 'an element'} is left in the page after ${delay} ms`, async () => {
      await mount({modal, open: true, asset: 'USDT', network: delay === 100 ? '' : 'bsc'})
      if (delay > 0) await new Promise(resolve => setTimeout(resolve, delay))
    })
