/** From the playground's code to a page that works: with the demo's shop, its policy, the real proxy and the sandbox. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {after, before, describe, it} from 'node:test'
import {Orders} from '../../demo/orders.js'
import {createShop} from '../../demo/routes.js'
import {sandboxBackend} from '../../demo/sandbox.js'
import type {StaticFile} from '../../demo/static-files.js'
import {CHARGE_ID, snippetOf} from '../../docs/.vitepress/playground/snippet.js'
import {initialState, usdtOnBsc, type PlaygroundState} from '../../docs/.vitepress/playground/state.js'
import {createCheckout, type CheckoutServer} from '../../src/node/index.js'
import {skipWithoutEngine, untilPhase, type Engine} from '../engines/engine.js'
import {launch} from '../engines/launch.js'
import {closeServer, listen} from '../http/loopback.js'
import {builtScriptTag} from '../e2e/script-tag/test-server.js'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}
/** The snippet says where the shop serves the script-tag build. */
const SCRIPTS = '/static/'

describe("a page with the playground's code", {skip: skipWithoutEngine('chromium')}, () => {
  const files = new Map<string, StaticFile>()
  const server = createServer()
  let url: string
  let checkout: CheckoutServer
  let engine: Engine

  before(async () => {
    url = `http://127.0.0.1:${await listen(server)}`
    const {options, sandbox} = sandboxBackend(url)
    const orders = new Orders(() => {})
    checkout = createCheckout(options)
    for (const [name, code] of await builtScriptTag()) serve(`${SCRIPTS}${name}`, name, code)
    server.on('request', createShop({url, checkout, orders, files, sandbox, log: () => {}}))
    engine = await launch('chromium')
  })

  after(async () => {
    await engine.close()
    await closeServer(server)
    await checkout.close()
  })

  it('shows the same attributes and theme, and takes a payment', async () => {
    const page = await openSnippet({
      ...initialState,
      pair: usdtOnBsc,
      locale: 'de',
      colorScheme: 'dark',
      width: 360,
      theme: {...initialState.theme, dark: {surface: '#112233'}, radius: 4},
    })
    await untilPhase(page, 'paying')
    const shown = await page.evaluate(() => {
      const element = document.querySelector('crypto-checkout')!
      const {backgroundColor, borderRadius} = getComputedStyle(
        element.shadowRoot!.querySelector('[part=base]')!,
      )
      const {theme, locale, clientWidth} = element
      return {theme, locale, clientWidth, backgroundColor, borderRadius, chargeId: element.chargeId}
    })
    const {chargeId, ...appearance} = shown
    assert.deepEqual(appearance, {
      theme: 'dark',
      locale: 'de',
      clientWidth: 360,
      backgroundColor: 'rgb(17, 34, 51)',
      borderRadius: '4px',
    })
    await pay(chargeId)
    await untilPhase(page, 'paid')
    // The sandbox's logos do not exist, nor does an icon of the page.
    const errors = (await page.consoleErrors()).filter(text => !text.startsWith('Failed to load resource'))
    assert.deepEqual(errors, [])
    await page.close()
  })

  it('opens a modal checkout with its button', async () => {
    const page = await openSnippet({...initialState, modal: true})
    await page.click('#pay')
    await untilPhase(page, 'choosing')
    assert.equal(await page.evaluate(() => document.querySelector('crypto-checkout')!.open), true)
    await page.close()
  })

  function serve(path: string, name: string, code: string): void {
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? ''
    files.set(path, {type, body: Buffer.from(code)})
  }

  /** Serves the snippet, and places an order for it, as the visitor's server would. */
  async function openSnippet(state: PlaygroundState) {
    const response = await fetch(`${url}/orders`, {method: 'POST'})
    const {chargeId} = (await response.json()) as {chargeId: string}
    for (const {name, code} of snippetOf({...state, stack: 'html'}))
      serve(name === 'index.html' ? '/' : `/${name}`, name, code.replace(CHARGE_ID, chargeId))
    const page = await engine.openPage()
    await page.goto(`${url}/`)
    return page
  }

  async function pay(id: string | null): Promise<void> {
    const body = JSON.stringify({id, asset: 'USDT', network: 'bsc'})
    const response = await fetch(`${url}/sandbox/pay`, {method: 'POST', body})
    assert.equal(response.status, 200)
  }
})
