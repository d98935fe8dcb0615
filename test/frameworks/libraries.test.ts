/**
 * Libraries that shops have on their pages, as published: an order is paid beside each of them, or inside what it shows.
 * `docs/frameworks.md` has the list.
 */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {after, before, describe, it} from 'node:test'
import {build} from 'esbuild'
import type {Browser, Page} from 'puppeteer-core'
import {startPageShop} from '../e2e/page-shop.js'
import {script, TestServer} from '../e2e/script-tag/test-server.js'
import {launchChromium} from '../engines/puppeteer.js'
import {installTools} from '../package/project.js'
import {requireProgram, skipWithout} from '../system/programs.js'

interface Library {
  /** Its own script, or one of `libraries/`, which imports it. */
  readonly from: string
  readonly head?: string
  /** Attributes of the body. Default: it has the checkout. */
  readonly body?: string
  /** Attributes of the checkout. */
  readonly checkout?: string
  readonly beside?: string
  readonly before?: (page: Page) => Promise<unknown>
  readonly whilePaying?: (page: Page) => Promise<unknown>
}

const dialogs = {Radix: 'radix', MUI: 'mui', 'Headless UI': 'headless-ui'}
const inside = {body: 'data-place="inside"'}
const inFront = {
  body: 'data-place="in front"',
  before: (page: Page) => page.locator('#pay').click(),
  whilePaying: scrollOnPhone,
}
const morphed = {
  checkout: 'modal theme="dark"',
  before: (page: Page) => page.evaluate(() => document.querySelector('crypto-checkout')?.show()),
  whilePaying: morph,
}
const libraries: Readonly<Record<string, Library>> = {
  Prototype: {from: 'Prototype'},
  MooTools: {from: 'MooTools'},
  ...Object.fromEntries(
    Object.entries(dialogs).flatMap(([name, from]) => [
      [`${name}, inside its dialog`, {from, ...inside}],
      [`${name}, in front of its dialog`, {from, ...inFront}],
    ]),
  ),
  'Turbo, which morphs the page': {
    from: 'turbo',
    head: '<meta name="turbo-refresh-method" content="morph">',
    ...morphed,
  },
  'htmx, which morphs the page': {
    from: 'htmx',
    beside:
      '<i hx-get="" hx-target="main" hx-select="main" hx-swap="outerMorph" hx-trigger="refresh from:document"></i>',
    ...morphed,
  },
  'Idiomorph, which morphs the page': {from: 'idiomorph', ...morphed},
  'shortcuts of GitHub': {
    from: 'hotkey',
    beside: '<a id="shortcut" href="/elsewhere">Elsewhere</a>',
    before: typeIntoSearch,
  },
}

describe('an order is paid beside', {skip: skipWithout('chromium', 'Prototype', 'MooTools')}, () => {
  let server: TestServer
  let browser: Browser
  let tools: string

  before(async () => {
    tools = await installTools(LIST)
    server = await TestServer.open()
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  it('and docs/frameworks.md says so', () => {
    const page = readFileSync('docs/frameworks.md', 'utf8')
    const {dependencies} = JSON.parse(readFileSync(LIST, 'utf8')) as {dependencies: Record<string, string>}
    const pinned = Object.entries(dependencies).filter(([, version]) => /^\d/.test(version))
    const names = pinned.map(([name, version]) => `\`${name}\` ${version.split('.')[0]}`)
    assert.deepEqual(
      names.filter(name => !page.includes(name)),
      [],
    )
  })

  for (const [name, library] of Object.entries(libraries))
    it(name, async () => {
      const chargeId = await server.charge()
      await payOn({chargeId, pay: () => server.pay(chargeId)}, library)
    })

  it('Sentry, which traces requests to the shop on another origin', async t => {
    const origin = new URL(server.page('/', {body: ''})).origin
    const shop = await startPageShop({allowedOrigins: [origin]})
    t.after(() => shop.close())
    const headers: string[] = []
    const chargeId = await shop.order('64.85')
    const pay = () => shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    const endpoint = `${shop.url}/crypto-checkout`
    await payOn(
      {chargeId, pay},
      {
        from: 'sentry',
        checkout: `endpoint="${endpoint}"`,
        async before(page) {
          page.on('request', request => {
            if (request.url().startsWith(endpoint)) headers.push(...Object.keys(request.headers()))
          })
        },
      },
    )
    assert.ok(['sentry-trace', 'baggage', 'traceparent'].every(name => headers.includes(name)))
  })

  async function payOn({chargeId, pay}: {chargeId: string; pay(): void}, library: Library): Promise<void> {
    const {head = '', body, beside = '', checkout = ''} = library
    const url = server.page('/', {
      head: `${await scriptOf(library)}${script}${head}`,
      bodyAttributes: `data-charge="${chargeId}" ${body ?? ''}`,
      body: body
        ? ''
        : `${beside}<main><crypto-checkout charge-id="${chargeId}" ${checkout}></crypto-checkout></main>`,
    })
    const page = await browser.newPage()
    try {
      await page.setViewport(PHONE)
      await page.goto(url)
      await page.waitForSelector('crypto-checkout[phase]')
      await library.before?.(page)
      await page.locator('crypto-checkout >>> [data-asset="825"]').click()
      await page.locator('crypto-checkout >>> [data-network="bsc"]').click()
      await page.waitForSelector('crypto-checkout[phase=paying]')
      await page.waitForSelector('crypto-checkout >>> [part~=qr]')
      await library.whilePaying?.(page)
      pay()
      await page.waitForSelector('crypto-checkout[phase=paid]')
      assert.deepEqual(await page.evaluate(() => problems), [])
    } finally {
      await page.close()
    }
  }

  async function scriptOf({from}: Library): Promise<string> {
    server.serve('library', new Map([['page.js', await codeOf(from)]]))
    return '<script src="/library/page.js" defer></script>'
  }

  async function codeOf(from: string): Promise<string> {
    if (from === 'Prototype' || from === 'MooTools') return readFileSync(requireProgram(from), 'utf8')
    const {outputFiles} = await build({
      entryPoints: [`test/frameworks/libraries/${from}.js`],
      bundle: true,
      write: false,
      nodePaths: [tools],
      // React must be the same for all.
      alias: Object.fromEntries(['react', 'react-dom'].map(name => [name, join(tools, name)])),
      define: {'process.env.NODE_ENV': '"production"'},
    })
    return outputFiles[0]?.text ?? ''
  }
})

const LIST = 'test/frameworks/libraries/tools.json'
const PHONE = {width: 390, height: 664}

/** The end of what is taller than the window can be reached with the wheel. */
async function scrollOnPhone(page: Page): Promise<void> {
  await page.mouse.move(PHONE.width / 2, PHONE.height / 2)
  await page.mouse.wheel({deltaY: 5_000})
  await page.waitForFunction(() => {
    const parts = document.querySelector('crypto-checkout')?.shadowRoot?.querySelectorAll('[part]') ?? []
    const ends = [...parts].map(part => part.getBoundingClientRect().bottom)
    return Math.max(...ends) <= innerHeight
  })
}

/** The page is rendered again: the dialog stays open, in its theme, with the amount that is on screen. */
async function morph(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(() => {
      const element = document.querySelector('crypto-checkout')
      const {open, theme, phase} = element ?? {}
      return [open, theme, phase, element?.shadowRoot?.querySelector('[part~=amount]')?.textContent]
    })
  const earlier = await state()
  await page.evaluate(async () => {
    const kept = document.querySelector('crypto-checkout')
    const main = document.querySelector('main')
    main?.setAttribute('data-old', '')
    document.dispatchEvent(new Event('refresh'))
    while (document.querySelector('[data-old]')) await new Promise(resolve => setTimeout(resolve, 10))
    if (document.querySelector('crypto-checkout') !== kept) throw new Error('the checkout was replaced')
  })
  assert.deepEqual(await state(), earlier)
}

async function typeIntoSearch(page: Page): Promise<void> {
  await page.locator('crypto-checkout >>> [part~=search]').click()
  await page.keyboard.type('usdt')
  const typed = await page.$eval('crypto-checkout >>> [part~=search]', search =>
    search instanceof HTMLInputElement ? search.value : '',
  )
  assert.deepEqual([typed, new URL(page.url()).pathname], ['usdt', '/'])
}
