import {assert, expect} from '@open-wc/testing'
import {registerLocale} from '../../src/index.js'
import {resolveLocale, localesFor} from '../../src/element/i18n/resolve-locale.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import {translation as arabic} from '../../src/element/i18n/translations/ar.js'
import {translation as german} from '../../src/element/i18n/translations/de.js'
import {enPayment} from '../../src/element/i18n/translations/en-payment.js'
import {en} from '../../src/element/i18n/translations/en.js'
import {pluralize, interpolate} from '../../src/element/i18n/format.js'
import {checkoutOf, part, container, plain, press, Fixture, textOf} from './fixture.js'

const SEND_ONLY = 'أرسل USDT فقط عبر BNB Smart Chain (BEP-20). أي شيء آخر يُرسل إلى هذا العنوان قد يضيع.'

describe('the language', () => {
  const afterwards: (() => void)[] = []
  afterEach(() => {
    for (const undo of afterwards.splice(0).reverse()) undo()
  })

  function pageLang(lang: string): void {
    const {documentElement} = document
    const before = documentElement.getAttribute('lang')
    afterwards.push(() =>
      before === null
        ? documentElement.removeAttribute('lang')
        : documentElement.setAttribute('lang', before),
    )
    documentElement.lang = lang
  }

  it('is that of the attribute, then that of the place through shadow roots, then the browser’s', () => {
    const outer = document.createElement('div')
    outer.lang = 'fr'
    const inner = document.createElement('div')
    outer.attachShadow({mode: 'open'}).append(inner)
    assert.deepEqual(localesFor(inner, 'de-CH'), ['de-CH', 'fr', ...navigator.languages])
    inner.lang = 'ar'
    assert.deepEqual(localesFor(inner, null), ['ar', 'fr', ...navigator.languages])
  })

  it('is the first that there are words for, with its region, and at last English', () => {
    for (const [wanted, locale, language] of [
      [['de'], 'de', 'de'],
      [['de-CH'], 'de-CH', 'de'],
      [['de_AT'], 'de-AT', 'de'],
      [['ar-EG-u-nu-latn'], 'ar-EG-u-nu-latn', 'ar'],
      [['DE-latn-ch'], 'de-Latn-CH', 'de'],
      [['en-GB', 'de'], 'en-GB', undefined],
      [['tlh', '', 'not a locale!', 'de'], 'de', 'de'],
      [['tlh'], 'en', undefined],
      [[], 'en', undefined],
    ] as const)
      assert.deepEqual(resolveLocale(wanted), {locale, language})
  })

  it('words and formats are of one language, also when there are no words for what was asked for', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge('1234.5')
    const element = await shop.mount(chargeId, {locale: 'de-CH'})
    assert.equal(textOf(element, 'status'), german.status.choosing)
    assert.match(textOf(element, 'price'), /^\$ 1['’]234\.50$/)
    assert.equal(part(element, 'base')?.lang, 'de-CH')
    element.locale = 'tlh'
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), en.status.choosing)
    assert.equal(textOf(element, 'price'), '$1,234.50')
  })

  it('is laid out in its own direction on a page of the other, and what is paid stays left-to-right', async () => {
    const shop = new Fixture()
    pageLang('en')
    const {element} = await shop.paying('825', 'bsc', {locale: 'ar'})
    const base = part(element, 'base') ?? assert.fail()
    assert.deepEqual([base.lang, base.dir], ['ar', 'rtl'])
    assert.include(textOf(element), SEND_ONLY)
    const {amount, address} = checkoutOf(element).quote ?? assert.fail()
    assert.equal(part(element, 'amount')?.textContent, amount)
    assert.equal(part(element, 'address')?.textContent, address)
    for (const name of ['amount', 'address'])
      assert.equal(getComputedStyle(part(element, name) ?? base).direction, 'ltr')
    assert.equal(getComputedStyle(part(element, 'price')?.firstElementChild ?? base).direction, 'ltr')
    await expect(element).to.be.accessible()
    element.locale = 'de'
    pageLang('ar')
    await shop.quiet(element)
    assert.deepEqual([base.lang, base.dir], ['de', 'ltr'])
  })

  it('is read in one piece in a narrow place: the price, and the labels beside buttons', async () => {
    const shop = new Fixture()
    container().style.inlineSize = '280px'
    for (const locale of ['pt', 'ru', 'uk']) {
      const {element} = await shop.paying('825', 'bsc', {locale})
      const labels = [...element.renderRoot.querySelectorAll('.field > p:first-child')]
      assert.lengthOf(labels, 2)
      for (const text of [part(element, 'price') ?? assert.fail(), ...labels]) {
        const range = document.createRange()
        range.selectNodeContents(text)
        assert.lengthOf(new Set([...range.getClientRects()].map(({top}) => top)), 1, text.textContent)
      }
    }
  })

  it('what is put into a sentence is isolated, whatever it holds; a number is not, and has the digits of the language', () => {
    assert.equal(interpolate('a {x} b', {x: '{y}$&'}), 'a \u2066{y}$&\u2069 b')
    assert.equal(pluralize({other: 'a {count} b'}, 2, 'fa'), 'a ۲ b')
  })

  it('follows a change of the attribute and of the page, and keeps the last words until the new are there', async () => {
    const shop = new Fixture()
    pageLang('de')
    const host = document.createElement('div')
    container().append(host)
    const element = shop.element({chargeId: await shop.charge()})
    host.attachShadow({mode: 'open'}).append(element)
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), german.status.choosing)
    const seen = new Set<string>()
    const watcher = new MutationObserver(() => seen.add(textOf(element, 'status')))
    watcher.observe(element.renderRoot, {subtree: true, childList: true, characterData: true})
    pageLang('ar')
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), arabic.status.choosing)
    host.lang = 'en'
    await shop.quiet(element)
    watcher.disconnect()
    assert.deepEqual([...seen], [arabic.status.choosing, en.status.choosing])
  })
})

/** Words that arrive when the test says so. */
function held() {
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => (arrive = resolve))
  const loadWords: Environment['loadTranslation'] = language =>
    arrived.then(() => browserEnvironment.loadTranslation(language))
  return {loadWords, arrive: () => arrive()}
}

describe('while a language is on its way', () => {
  it('nothing is said, while the charge is opened and told; then all at once', async () => {
    const {loadWords, arrive} = held()
    const shop = new Fixture({
      environment: {loadTranslation: loadWords},
    })
    const element = await shop.mount(await shop.charge(), {locale: 'de'})
    assert.equal(element.phase, 'choosing')
    assert.equal(element.getAttribute('phase'), 'choosing')
    assert.equal(textOf(element), '')
    assert.equal(part(element, 'base')?.ariaBusy, 'true')
    await expect(element).to.be.accessible()
    arrive()
    await shop.pass(0, element)
    assert.equal(textOf(element, 'status'), german.status.choosing)
    assert.equal(element.renderRoot.querySelector('[role=status]')?.textContent, german.status.choosing)
    assert.isNull(part(element, 'base')?.ariaBusy)
  })

  it('English does when it cannot be had, and formats with it', async () => {
    const shop = new Fixture({environment: {loadTranslation: () => Promise.reject(new Error('gone'))}})
    const element = await shop.mount(await shop.charge('1234.5'), {locale: 'de'})
    assert.equal(textOf(element, 'status'), en.status.choosing)
    assert.equal(textOf(element, 'price'), '$1,234.50')
    assert.deepEqual([part(element, 'base')?.lang, part(element, 'base')?.dir], ['en', 'ltr'])
  })

  it('English does after three seconds, until it comes after all', async () => {
    const {loadWords, arrive} = held()
    const shop = new Fixture({
      environment: {loadTranslation: loadWords},
    })
    const element = await shop.mount(await shop.charge(), {locale: 'ar'})
    await shop.pass(2_999, element)
    assert.equal(textOf(element), '')
    await shop.pass(1, element)
    assert.equal(textOf(element, 'status'), en.status.choosing)
    arrive()
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), arabic.status.choosing)
  })

  it('nobody waits any more once the element has left, and it asks again when it is back', async () => {
    const asked: string[] = []
    const shop = new Fixture({
      environment: {
        loadTranslation: language => {
          asked.push(language)
          return asked.length > 1
            ? browserEnvironment.loadTranslation(language)
            : new Promise<never>(() => {})
        },
      },
    })
    const element = await shop.mount(await shop.charge(), {locale: 'de'})
    element.remove()
    await shop.quiet(element)
    assert.equal(shop.clock.sleepers, 0)
    container().append(element)
    await shop.quiet(element)
    assert.deepEqual(asked, ['de', 'de'])
    assert.equal(textOf(element, 'status'), german.status.choosing)
  })
})

describe('registerLocale', () => {
  it('changes some words, early and late ones, of elements already on the page as well', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying('825', 'bsc', {locale: 'de-LI'})
    registerLocale('de-LI', {
      status: {paying: 'Wir freuen uns auf Ihre Zahlung'},
      sendExactly: 'Genau diese Summe',
      sendOnly: 'Nur {symbol} auf {network}!',
    })
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), 'Wir freuen uns auf Ihre Zahlung')
    assert.include(textOf(element), 'Genau diese Summe')
    assert.include(textOf(element), 'Nur USDT auf BNB Smart Chain (BEP-20)!')
    assert.include(textOf(element), german.toAddress)
    element.locale = 'de'
    await shop.quiet(element)
    assert.include(textOf(element), german.sendExactly)
  })

  it('words of a region go over those of its language, and later ones over earlier ones', async () => {
    const shop = new Fixture()
    registerLocale('en-ZA', {back: 'Other', assets: 'Currencies'})
    registerLocale('en-ZA', {back: 'Another way'})
    const element = await shop.mount(await shop.charge(), {locale: 'en-ZA'})
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    press(element, '[data-network="bsc"]')
    await shop.quiet(element)
    assert.equal(textOf(element, 'back'), 'Another way')
    press(element, 'back')
    await shop.quiet(element)
    assert.equal(part(element, 'assets')?.ariaLabel, 'Currencies')
  })

  it('adds a language, for which a page may have waited', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying('825', 'bsc', {locale: 'dv-MV'})
    assert.include(textOf(element), enPayment.sendExactly)
    registerLocale('dv', {...arabic, sendExactly: 'އަދަދު ކޮޕީކުރޭ'})
    await shop.quiet(element)
    assert.include(textOf(element), 'އަދަދު ކޮޕީކުރޭ')
    assert.deepEqual([part(element, 'base')?.lang, part(element, 'base')?.dir], ['dv-MV', 'rtl'])
    assert.equal(plain(part(element, 'qr')?.ariaLabel ?? '').slice(0, 6), 'رمز QR')
  })

  it('refuses what is no locale', () => {
    assert.throws(() => registerLocale('not a locale!', german), RangeError)
  })
})
