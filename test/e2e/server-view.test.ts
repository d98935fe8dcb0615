/**
 * Pages before the script has loaded, and when the element takes over: with the first view in their HTML, with the
 * placeholder of `checkout.render`, and with the fallback of docs/element.md.
 */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import type {ServerResponse} from 'node:http'
import {after, describe, test} from 'node:test'
import type {Page} from 'puppeteer-core'
import {renderer} from '../../src/pages/render/index.js'
import en from '../../src/translations/en.json' with {type: 'json'}
import {selectedEngines, skipWithoutEngine, until, untilPhase, type Engine} from '../engines/engine.js'
import {describeIn} from './describe-in.js'
import {layoutShifts, startPageShop, useChromium, type PageShop} from './page-shop.js'

const section = /## Fallback content([^]+?)\n## /.exec(readFileSync('docs/element.md', 'utf8'))?.[1] ?? ''
const [, styles = ''] = /```css\n([^]+?)```/.exec(section) ?? []
const [, markup = ''] = /```html\n([^]+?)```/.exec(section) ?? []
/** Of a page whose styles and scripts need the nonce `abc`. */
const NONCE_POLICY =
  "default-src 'none'; connect-src 'self'; style-src 'nonce-abc'; script-src 'nonce-abc' 'strict-dynamic'; img-src data:"

/** The page that was rendered for `locale`, without its script for `later`, and that of the documentation. */
async function respond({checkout, order}: PageShop, {pathname, searchParams}: URL, res: ServerResponse) {
  if (pathname === '/shop.css') return res.setHeader('content-type', 'text/css').end(styles)
  const isFallback = pathname === '/fallback'
  const policy = isFallback ? "default-src 'none'; style-src 'self'" : NONCE_POLICY
  const locale = searchParams.get('locale') ?? 'en'
  const rendered = await checkout.render(await order(), {nonce: 'abc', locale})
  const isLater = searchParams.has('later')
  const html = isLater ? rendered.replace(/<script type="module".*?<\/script>/, '') : rendered
  if (!isLater) res.setHeader('content-security-policy', policy)
  return res.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
${isFallback ? `<link rel="stylesheet" href="/shop.css">${markup}` : `<main lang="en">${html}</main>`}
<p id="after">After</p>`)
}

const shop = await startPageShop({renderer}, respond)
const withoutRenderer = await startPageShop({}, respond)
after(() => Promise.all([shop.close(), withoutRenderer.close()]))

/** Runs in the page. Without the countdown, what screen readers announce, and the height of rows out of view. */
function stateOfPage() {
  const root = document.querySelector('crypto-checkout')!.shadowRoot!
  const list = root.querySelector('[part=assets]')!
  return {
    texts: [...root.querySelectorAll('[part=price], [part=status], [part=asset]')].map(one =>
      one.textContent?.replace(/\s+/g, ' '),
    ),
    places: [
      ...root.querySelectorAll('[part=base], [part=price], [part=search], li:nth-child(-n + 6) [part=asset]'),
      document.querySelector('#after')!,
    ].map(one => {
      const {left, top, width, height} = one.getBoundingClientRect()
      return [left, top, width, height].map(Math.round).join(' ')
    }),
    direction: getComputedStyle(list).direction,
    scrolled: [list.scrollTop, scrollY],
    focused: root.activeElement?.getAttribute('data-asset'),
  }
}

let engine: Engine
for (const name of selectedEngines())
  describeIn(
    name,
    'a checkout that was rendered on the server',
    one => (engine = one),
    () => {
      for (const [locale, direction] of [
        ['en', 'ltr'],
        ['ar-EG', 'rtl'],
      ] as const)
        test(`is the same before and after the script, with the focus of a real key, in ${locale}`, async () => {
          const page = await engine.openPage()
          await page.resize(390, 664)
          await page.goto(`${shop.url}/?later&locale=${locale}`)
          // The search field, in Firefox the list, USDT, ETH.
          while ((await page.evaluate(stateOfPage)).focused !== '1027') await page.press('Tab')
          await page.evaluate(() => {
            scrollTo(0, 20)
            document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part=assets]')!.scrollTop =
              25
          })
          const before = await page.evaluate(stateOfPage)
          assert.equal(before.direction, direction)
          assert.deepEqual(before.scrolled, [25, 20])
          assert.ok(before.texts.length > 15)

          await page.evaluate(() => {
            const script = document.createElement('script')
            script.type = 'module'
            script.src = '/crypto-checkout/crypto-checkout.js'
            document.head.append(script)
          })
          // The element takes over when it has the texts of the language.
          const hasTakenOver = () =>
            !document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('style')
          await until(page, 'taken over', hasTakenOver)
          assert.deepEqual(await page.evaluate(stateOfPage), before)
          await page.press('Enter')
          await untilPhase(page, 'paying')
          await page.close()
        })
    },
  )

describe('a page with a strict policy in Chromium', {skip: skipWithoutEngine('chromium')}, () => {
  const browser = useChromium()

  /** The page, whose script waits for `release`. */
  async function openPage(url: string, width = 390, height = 664) {
    const page = await browser().newPage()
    const messages: string[] = []
    page.on('console', message => messages.push(message.text()))
    await page.setViewport({width, height})
    await page.setRequestInterception(true)
    const script = new Promise<() => unknown>(resolve => {
      page.on('request', request => {
        if (request.url().endsWith('/crypto-checkout.js')) resolve(() => request.continue())
        else void request.continue()
      })
    })
    const loaded = page.goto(url)
    loaded.catch(() => undefined)
    await page.waitForSelector('#after')
    return {page, messages, release: async () => (await script)()}
  }

  for (const [view, {url}, locales, sizes, most] of [
    ['list', shop, ['en', 'de', 'ar'], ['390×664', '1280×720'], 0],
    ['placeholder', withoutRenderer, ['en'], ['390×844', '1280×1200'], 0.01],
  ] as const)
    test(`from the ${view} in its HTML to the list with icons, at most ${most} moves, and the policy is kept`, async () => {
      for (const size of sizes)
        for (const locale of locales) {
          const [width, height] = size.split('×').map(Number)
          const {page, messages, release} = await openPage(`${url}/?locale=${locale}`, width, height)
          await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
          await release()
          await page.waitForSelector('crypto-checkout >>> [data-asset="1027"] svg.web3icons', {visible: true})
          const shifts = await layoutShifts(page)
          const sum = shifts.reduce((sum, {value}) => sum + value, 0)
          assert.ok(sum <= most, `${locale}, ${size}: ${JSON.stringify(shifts)}`)
          assert.deepEqual(messages, [])
          await page.close()
        }
    })

  test('the list is painted before the element takes it over', async () => {
    const page = await browser().newPage()
    await page.evaluateOnNewDocument(() => {
      performance.getEntriesByType = () => []
      globalThis.requestAnimationFrame = callback => {
        addEventListener('paint', callback as () => void)
        return 0
      }
    })
    await page.goto(shop.url)
    assert.equal(await page.evaluate(() => customElements.get('crypto-checkout') === undefined), true)
    await page.evaluate(() => dispatchEvent(new Event('paint')))
    await page.waitForFunction(() => customElements.get('crypto-checkout'))
    await page.close()
  })

  for (const choose of ['click', 'key'] as const)
    test(`the last ${choose} before the script has loaded is repeated, once`, async () => {
      const {page, messages, release} = await openPage(`${shop.url}/?locale=de`)
      for (const asset of ['3408', '825']) {
        const control = await page.waitForSelector(`crypto-checkout >>> [data-asset="${asset}"]`)
        await (choose === 'click' ? control?.click() : control?.press('Enter'))
      }
      await release()
      const expanded = await page.waitForFunction(() => {
        const root = document.querySelector('crypto-checkout')!.shadowRoot!
        const assets = [...root.querySelectorAll('[aria-expanded=true]')]
        return assets.length > 0 && assets.map(one => one.getAttribute('data-asset')).join()
      })
      assert.equal(await expanded.jsonValue(), '825')
      assert.deepEqual(messages, [])
      await page.close()
    })

  test('what was typed into the search field before the script is searched for', async () => {
    const {page, release} = await openPage(shop.url)
    await page.locator('crypto-checkout >>> [part=search]').click()
    await page.keyboard.type('usd')
    await release()
    const symbols = () =>
      page.evaluate(() =>
        [...document.querySelector('crypto-checkout')!.shadowRoot!.querySelectorAll('[part=asset] b')].map(
          one => one.textContent,
        ),
      )
    await page.waitForSelector('crypto-checkout[phase=choosing]')
    assert.deepEqual(await symbols(), ['USDT', 'USDC', 'BUSD'])
    await page.keyboard.type('c')
    assert.deepEqual(await symbols(), ['USDC'])
    await page.close()
  })

  for (const [view, url] of [
    ['list', shop.url],
    ['placeholder', withoutRenderer.url],
    ['fallback', `${shop.url}/fallback`],
  ] as const)
    test(`a script that never comes leaves the ${view} and its height, and after eight seconds there is a hint`, async () => {
      const {page} = await openPage(url)
      const [early, late] = [await textAt(page, 7_999), await textAt(page, 8_001)]
      if (view === 'list') assert.match(early, /USDT/)
      else assert.equal(early, en.status.loading)
      assert.ok(late.includes(early) && late.length > early.length + 20, late)
      assert.ok(
        await page.evaluate(() => document.querySelector('#after')!.getBoundingClientRect().top > 600),
      )
      await page.close()
    })
})

/** The visible text at a time of the animation. */
function textAt(page: Page, ms: number): Promise<string> {
  return page.evaluate(at => {
    const element = document.querySelector('crypto-checkout')!
    const root = element.shadowRoot ?? document
    for (const animation of root.getAnimations()) animation.currentTime = at
    const shown = element.shadowRoot
      ? element.shadowRoot.querySelectorAll<HTMLElement>('div, .late')
      : [element]
    return [...shown]
      .map(one => one.innerText.trim())
      .join(' ')
      .trim()
  }, ms)
}
