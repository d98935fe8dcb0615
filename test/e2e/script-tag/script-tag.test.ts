/** Pages that load the script correctly and incorrectly, also under a policy that allows almost nothing. */
import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, afterEach, it} from 'node:test'
import {
  chooseUsdtOnBsc,
  clickPair,
  selectedEngines,
  untilPart,
  untilPhase,
  type Engine,
  type EnginePage,
} from '../../engines/engine.js'
import {describeIn} from '../describe-in.js'
import {startPageShop} from '../page-shop.js'
import {builtScriptTag, script, TestServer, type Files} from './test-server.js'

const scriptFrom = (address: string) => `<script type="module" src="${address}"></script>`
const strictPolicy = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'none'; img-src 'self' https:",
  "base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')

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

const server = await TestServer.open()
const {files} = server
/** With client tokens, and a page of its own for each charge. */
const hosted = await startPageShop({
  tokenSecret: 'a secret of at least 32 characters',
  hostedPage: {name: 'Halm & Oak', supportUrl: 'mailto:help@halm.example'},
})
let engine: Engine
const useEngine = (launched: Engine) => void (engine = launched)
let page: EnginePage

afterEach(() => page.close())
after(() => Promise.all([server.close(), hosted.close()]))

for (const name of selectedEngines())
  describeIn(name, 'the script tag', useEngine, () => {
    it('is one file until it opens the charge; loads logos, shows the QR code and is paid on a strict page', async () => {
      const chargeId = await open(script, {policy: strictPolicy, attributes: ''})
      await pay(chargeId)
      assert.deepEqual(await page.evaluate(() => problems), [])
      const requests = await requested()
      const openedAt = requests.findIndex(path => path.includes('/charges/'))
      const isFile = (path: string) => path.startsWith('/cdn/')
      assert.deepEqual(requests.slice(0, openedAt).filter(isFile), ['/cdn/crypto-checkout.js'])
      assert.ok(requests.some(path => path.startsWith('/cdn/payment-panel-')))
    })
  })

for (const name of selectedEngines())
  describeIn(name, 'the hosted page', useEngine, () => {
    it('takes the token from its link, shows the address, keeps both after a reload, and is paid', async () => {
      const chargeId = await hosted.order()
      page = await engine.openPage()
      await page.goto(hosted.url + hosted.checkout.payUrl(chargeId))
      await chooseUsdtOnBsc(page)
      await untilPart(page, 'qr')
      const shown = () => page.evaluate(addressAndLocation)
      const {address, location} = await shown()
      assert.match(address, /^0x[0-9a-fA-F]{40}$/)
      assert.doesNotMatch(location, /token|#/)
      await page.reload()
      await untilPhase(page, 'paying')
      await untilPart(page, 'address')
      assert.deepEqual(await shown(), {address, location})
      hosted.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
      await untilPhase(page, 'paid')
      assert.deepEqual(await page.consoleErrors(), [])
    })

    it('applies the token of a second link in the same page, and none without a link', async () => {
      page = await engine.openPage()
      const [path = '', token = ''] = hosted.checkout.payUrl(await hosted.order()).split('#')
      await page.goto(hosted.url + path)
      await untilPhase(page, 'unavailable')
      await page.evaluate(hash => void (location.hash = hash), token)
      await untilPhase(page, 'choosing')
      assert.equal(await page.evaluate(() => location.hash), '')
    })
  })

describeIn('chromium', 'loading the script tag', useEngine, () => {
  const changed = {file: 'src/element/version.ts', from: '0.1.0', to: '9.9.9'}
  let newer: Promise<Files> | undefined
  const copies: [title: string, addresses: string[], warning?: RegExp][] = [
    ['an address that has a query', ['/cdn/crypto-checkout.js?v=2']],
    [
      'several copies',
      ['/cdn/crypto-checkout.js', '/cdn/crypto-checkout.js?again', '/other/crypto-checkout.js'],
      /^<crypto-checkout>: version 0\.1\.0 is already on this page; another copy/,
    ],
    [
      'another version that loaded first',
      ['/newer/crypto-checkout.js', '/cdn/crypto-checkout.js'],
      /version 9\.9\.9 is already on this page; another copy, version 0\.1\.0, is not used/,
    ],
  ]
  for (const [title, addresses, warning] of copies)
    it(`runs once with ${title}, and is paid`, async () => {
      server.serve('other', files)
      server.serve('newer', await (newer ??= builtScriptTag(changed)))
      const chargeId = await open(addresses.map(scriptFrom).join(''))
      await pay(chargeId)
      const problems = await page.evaluate(() => globalThis.problems)
      assert.equal(problems.length, warning ? 1 : 0)
      if (warning) assert.match(problems[0]!, warning)
      const loaded = (await requested()).filter(path => path.includes('/crypto-checkout.js'))
      // A browser may request the scripts of a page in any order, it runs them in theirs.
      assert.deepEqual(loaded.toSorted(), addresses.toSorted())
    })

  it('runs with integrity hashes, those of the chunks in an import map', async () => {
    const entry = `<script type="module" src="/cdn/crypto-checkout.js" integrity="${hash(files.get('crypto-checkout.js')!)}"></script>`
    await pay(await open(importMap('/cdn/') + entry))
  })

  it('does not run a chunk that was changed, and requests no address', async () => {
    server.serve('changed', new Map([...files].map(([file, code]) => [file, `${code}\n`])))
    await open(importMap('/changed/') + scriptFrom('/changed/crypto-checkout.js'))
    await untilPhase(page, 'choosing')
    await clickPair(page, '825', 'bsc')
    await untilPart(page, 'retry')
    const quote = await page.evaluate(() => document.querySelector('crypto-checkout')!.checkout!.quote)
    assert.equal(quote, null)
  })

  it('hides the fallback of the shop, which stays when the script is blocked', async () => {
    const isFallbackVisible = () =>
      page.evaluate(() => document.querySelector('crypto-checkout p')!.getClientRects().length > 0)
    await open(scriptFrom('/missing/crypto-checkout.js'))
    assert.equal(await isFallbackVisible(), true)
    await page.close()
    await open(script)
    await untilPhase(page, 'choosing')
    assert.equal(await isFallbackVisible(), false)
  })
})

describeIn('chromium', 'a shop that changes what a page relies on', useEngine, () => {
  it('replaces built-ins', async () => {
    await pay(await open(`<script>${replacements}</script>${script}`))
    assert.deepEqual(await page.consoleErrors(), [])
  })

  it('has two copies on a strict page, of which the second needs allow-duplicates', async () => {
    server.serve('second', files)
    for (const [source, warnings] of [
      ['', 0],
      [" 'allow-duplicates'", 1],
    ] as const) {
      const policy = strictPolicy + source
      await pay(await open(script + scriptFrom('/second/crypto-checkout.js'), {policy}))
      const problems = await page.evaluate(() => globalThis.problems)
      assert.equal(problems.filter(text => text.includes('already on this page')).length, warnings)
      if (warnings > 0) assert.equal(problems.length, 1)
      else await page.close()
    }
  })
})

/** Opens a page with a new charge. */
async function open(
  head: string,
  {policy, attributes = 'logos="none"'}: {policy?: string; attributes?: string} = {},
) {
  const chargeId = await server.charge()
  const body = `<crypto-checkout charge-id="${chargeId}" ${attributes}><p>No script</p></crypto-checkout>`
  page = await engine.openPage()
  await page.goto(server.page('/', {head, body, ...(policy !== undefined && {policy})}))
  return chargeId
}

async function pay(chargeId: string): Promise<void> {
  await chooseUsdtOnBsc(page)
  await untilPart(page, 'qr')
  server.pay(chargeId)
  await untilPhase(page, 'paid')
}

/** Runs in the page. */
function addressAndLocation() {
  const part = document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part~="address"]')
  return {address: part?.textContent ?? '', location: location.href}
}

/** Paths with their query, in the order of their requests. */
function requested(): Promise<string[]> {
  return page.evaluate(() =>
    performance.getEntriesByType('resource').map(({name}) => name.replace(location.origin, '')),
  )
}

function importMap(folder: string): string {
  const chunks = [...files].filter(([file]) => file !== 'crypto-checkout.js')
  const integrity = Object.fromEntries(chunks.map(([file, code]) => [folder + file, hash(code)]))
  return `<script type="importmap">${JSON.stringify({integrity})}</script>`
}

function hash(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`
}
