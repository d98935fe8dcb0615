/** How a page may load the script, rightly and wrongly. `ENGINES=chromium,firefox,webkit` says where. */
import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {before, it} from 'node:test'
import {type EnginePage} from '../../engines/engine.js'
import {untilPart, untilPhase} from './customer.js'
import {inEveryEngine} from './every-engine.js'
import {builtScriptTag, type Files} from './test-server.js'

const tag = (address: string) => `<script type="module" src="${address}"></script>`

inEveryEngine('the script tag', ({server, engine}) => {
  let files: Files
  before(async () => {
    files = await builtScriptTag()
    server().serve('other', await builtScriptTag())
    server().serve('newer', await builtScriptTag({file: 'src/element/version.ts', from: '0.1.0', to: '9.9.9'}))
  })

  it('is one file until something is chosen; what comes later lies beside it', async () => {
    const {page, chargeId} = await opened('/one-file', tag('/cdn/crypto-checkout.js'))
    await untilPhase(page, 'choosing')
    assert.deepEqual(
      scripts('/cdn/').filter(path => !path.includes('/event-stream-')),
      ['/cdn/crypto-checkout.js'],
    )
    await paid(page, chargeId)
    assert.ok(scripts('/cdn/').some(path => path.startsWith('/cdn/payment-panel-')))
    await page.close()
  })

  it('runs once, also under an address with a query', async () => {
    const {page, chargeId} = await opened('/query', tag('/cdn/crypto-checkout.js?v=2'))
    await paid(page, chargeId)
    const entries = scripts('/cdn/').filter(path => path.includes('/crypto-checkout.js'))
    assert.deepEqual(entries, ['/cdn/crypto-checkout.js?v=2'])
    assert.deepEqual(await page.evaluate(() => troubles), [])
    await page.close()
  })

  it('twice, thrice, at other addresses and in another version: pays, throws nothing, says so once', async () => {
    const addresses = [
      '/cdn/crypto-checkout.js',
      '/cdn/crypto-checkout.js?again',
      '/other/crypto-checkout.js',
    ]
    const head = [...addresses, '/newer/crypto-checkout.js'].map(tag).join('')
    const {page, chargeId} = await opened('/copies', head)
    await paid(page, chargeId)
    const said = await page.evaluate(() => troubles)
    assert.equal(said.length, 1)
    assert.match(said[0]!, /^<crypto-checkout>: version 0\.1\.0 is already on this page; another copy/)
    await page.close()
  })

  it('another version that was faster serves the whole page', async () => {
    const head = tag('/newer/crypto-checkout.js') + tag('/cdn/crypto-checkout.js')
    const {page, chargeId} = await opened('/newer-first', head)
    await paid(page, chargeId)
    const said = await page.evaluate(() => troubles)
    assert.equal(said.length, 1)
    assert.match(
      said[0]!,
      /version 9\.9\.9 is already on this page; another copy, version 0\.1\.0, is not used/,
    )
    await page.close()
  })

  it('is run when its hashes are right, the late parts by way of an import map', async () => {
    const {page, chargeId} = await opened(
      '/hashed',
      importMap('/cdn/', files) +
        `<script type="module" src="/cdn/crypto-checkout.js" integrity="${hash(files.get('crypto-checkout.js')!)}"></script>`,
    )
    await paid(page, chargeId)
    await page.close()
  })

  it('does not run a late part that was tampered with, and asks for no address', async () => {
    server().serve('tampered', new Map([...files].map(([file, code]) => [file, `${code}\n`])))
    const entry = `<script type="module" src="/tampered/crypto-checkout.js"></script>`
    const {page} = await opened('/bad-hash', importMap('/tampered/', files) + entry)
    await untilPhase(page, 'choosing')
    await page.click('crypto-checkout >>> [data-asset="825"]')
    await page.click('crypto-checkout >>> [data-network="bsc"]')
    await untilPart(page, 'retry')
    const shown = await page.evaluate(() => document.querySelector('crypto-checkout')!.checkout!.quote)
    assert.equal(shown, null)
    await page.close()
  })

  it('shows what the shop put into the tag, when the script is blocked', async () => {
    const {page} = await opened('/blocked', tag('/nowhere/crypto-checkout.js'))
    const seen = await page.evaluate(
      () => document.querySelector('crypto-checkout p')!.getClientRects().length,
    )
    assert.equal(seen, 1)
    await page.close()
  })

  it('and hides it, when the script is there', async () => {
    const {page} = await opened('/there', tag('/cdn/crypto-checkout.js'))
    await untilPhase(page, 'choosing')
    const seen = await page.evaluate(
      () => document.querySelector('crypto-checkout p')!.getClientRects().length,
    )
    assert.equal(seen, 0)
    await page.close()
  })

  async function opened(path: string, head: string) {
    const chargeId = await server().charge()
    const body = `<crypto-checkout charge-id="${chargeId}" logos="none"><p>No script</p></crypto-checkout>`
    const page = await engine().openPage()
    server().requests.length = 0
    await page.goto(server().page(path, {head, body}))
    return {page, chargeId}
  }

  async function paid(page: EnginePage, chargeId: string): Promise<void> {
    await untilPhase(page, 'choosing')
    await page.click('crypto-checkout >>> [data-asset="825"]')
    await page.click('crypto-checkout >>> [data-network="bsc"]')
    await untilPart(page, 'qr')
    server().pay(chargeId, '825', 'bsc')
    await untilPhase(page, 'paid')
  }

  function scripts(folder: string): string[] {
    return server().requests.filter(path => path.startsWith(folder))
  }
})

function importMap(folder: string, files: Files): string {
  const late = [...files].filter(([file]) => file !== 'crypto-checkout.js')
  const integrity = Object.fromEntries(late.map(([file, code]) => [folder + file, hash(code)]))
  return `<script type="importmap">${JSON.stringify({integrity})}</script>`
}

function hash(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`
}
