/** A page with the first view in its HTML: before the script has loaded, and when the element takes it over. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'puppeteer-core'
import {renderer} from '../../src/pages/render/index.js'
import {selectedEngines, skipWithoutEngine, until, untilPhase, type Engine} from '../engines/engine.js'
import {launchChromium} from '../engines/puppeteer.js'
import {describeIn} from './describe-in.js'
import {layoutShifts, NONCE_POLICY, startPageShop, type PageShop} from './page-shop.js'

let shop: PageShop
before(async () => {
  shop = await startPageShop({renderer}, async ({checkout, order}, {pathname, searchParams}, res) => {
    if (pathname !== '/') return res.writeHead(404).end()
    const html = await checkout.render(await order(), {
      nonce: 'abc',
      locale: searchParams.get('locale') ?? 'en',
    })
    const later = html.replace(/<script type="module".*?<\/script>/, '')
    res.setHeader('content-type', 'text/html; charset=utf-8')
    if (!searchParams.has('later')) res.setHeader('content-security-policy', NONCE_POLICY)
    res.end(`<!doctype html><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<main lang="en">${searchParams.has('later') ? later : html}</main><p id="after">After</p>`)
  })
})
after(() => shop.close())

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
  let browser: Browser
  before(async () => void (browser = await launchChromium()))
  after(() => browser.close())

  /** The page with the list in its HTML, whose script waits for `release`. */
  async function openPage(width: number, height: number, locale: string) {
    const page = await browser.newPage()
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
    const loaded = page.goto(`${shop.url}/?locale=${locale}`)
    loaded.catch(() => undefined)
    await page.waitForFunction(() =>
      document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('[data-asset="3513"]'),
    )
    return {page, messages, release: await script}
  }

  for (const [width, height] of [
    [390, 664],
    [1280, 720],
  ] as const)
    test(`nothing moves at ${width}×${height} px until the icons have loaded, and the policy is kept`, async () => {
      for (const locale of ['en', 'de', 'ar']) {
        const {page, messages, release} = await openPage(width, height, locale)
        await page.waitForFunction(
          () =>
            getComputedStyle(document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('ul')!)
              .listStyleType === 'none',
        )
        release()
        await page.waitForFunction(() =>
          document
            .querySelector('crypto-checkout')!
            .shadowRoot!.querySelector('[data-asset="1027"] svg.web3icons'),
        )
        assert.deepEqual(await layoutShifts(page), [], locale)
        assert.deepEqual(messages, [])
        await page.close()
      }
    })

  test('the list is painted before the element takes it over', async () => {
    const page = await browser.newPage()
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
      const {page, messages, release} = await openPage(390, 664, 'de')
      for (const asset of ['3408', '825']) {
        const control = await page.waitForSelector(`crypto-checkout >>> [data-asset="${asset}"]`)
        await (choose === 'click' ? control?.click() : control?.press('Enter'))
      }
      release()
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
    const {page, release} = await openPage(390, 664, 'en')
    await page.locator('crypto-checkout >>> [part=search]').click()
    await page.keyboard.type('usd')
    release()
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

  test('a script that never comes leaves the list, and after eight seconds there is a hint above it', async () => {
    const {page} = await openPage(390, 664, 'en')
    const [early, late] = [await hintAt(page, 7_999), await hintAt(page, 8_001)]
    assert.deepEqual(early, {height: 0, visibility: 'hidden'})
    assert.ok(late.height > 10)
    assert.equal(late.visibility, 'visible')
    await page.close()
  })
})

/** At a time of the animation. */
function hintAt(page: Page, ms: number) {
  return page.evaluate(at => {
    const hint = document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('.late')!
    for (const animation of hint.getAnimations()) animation.currentTime = at
    return {height: hint.getBoundingClientRect().height, visibility: getComputedStyle(hint).visibility}
  }, ms)
}
