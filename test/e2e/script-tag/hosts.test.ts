/**
 * Shops and hosts that change what a page relies on. Libraries replace built-ins: Prototype and MooTools do, and a shop on
 * Magento 1 or Joomla has them on every page. The checkout must be paid as without them.
 */
import assert from 'node:assert/strict'
import {after, before, describe, it} from 'node:test'
import {chooseUsdtOnBsc, skipWithoutEngine, untilPart, untilPhase} from '../../engines/engine.js'
import type {Engine} from '../../engines/engine.js'
import {launch} from '../../engines/launch.js'
import {script, TestServer} from './test-server.js'

/** As Prototype 1.7 and MooTools 1.6 do, but nothing is left that works by chance. */
const replacements = `
  const replaced = name => () => { throw new Error(name + ' of the page') }
  Object.values = replaced('Object.values')
  Object.entries = replaced('Object.entries')
  Object.fromEntries = replaced('Object.fromEntries')
  Array.from = replaced('Array.from')
  Array.prototype.entries = Array.prototype.values
  Array.prototype.each = Array.prototype.forEach
  Array.prototype.contains = Array.prototype.includes
  Function.prototype.bind = function (self) { const method = this; return function () { return method.apply(self, arguments) } }
  RegExp.prototype.match = RegExp.prototype.test
  window.Event = replaced('Event')`

describe('the checkout of a shop', {skip: skipWithoutEngine('chromium')}, () => {
  let server: TestServer
  let engine: Engine

  before(async () => {
    server = await TestServer.open()
    engine = await launch('chromium')
  })
  after(async () => {
    await engine.close()
    await server.close()
  })

  it('is paid on a page that replaces built-ins', () => payOn(`<script>${replacements}</script>${script}`))

  it('is paid on a host that adds a slash to every path', async () => {
    server.addsSlash = true
    await payOn(script)
    assert.ok(server.requests.some(path => path.endsWith('/quote/')))
    const chargeId = await server.charge()
    await payAt(server.payUrl(chargeId), chargeId)
  })

  async function payOn(head: string): Promise<void> {
    const chargeId = await server.charge()
    const body = `<crypto-checkout charge-id="${chargeId}"></crypto-checkout>`
    await payAt(server.page('/', {head, body}), chargeId)
  }

  async function payAt(url: string, chargeId: string): Promise<void> {
    const page = await engine.openPage()
    await page.goto(url)
    await chooseUsdtOnBsc(page)
    await untilPart(page, 'qr')
    server.pay(chargeId)
    await untilPhase(page, 'paid')
    assert.deepEqual(await page.consoleErrors(), [])
  }
})
