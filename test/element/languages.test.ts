import {assert} from '@open-wc/testing'
import {registerLocale, type Translation} from '../../src/index.js'
import {resolveLocale, localesFor} from '../../src/element/i18n/resolve-locale.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import arabic from '../../src/translations/ar.json'
import german from '../../src/translations/de.json'
import en from '../../src/translations/en.json'
import {pluralize, interpolate} from '../../src/translations/format.js'
import {languages} from '../../src/translations/generated/languages.js'
import {
  announced,
  choosing,
  container,
  Fixture,
  missing,
  part,
  paying,
  plain,
  quoteOf,
  textOf,
} from './fixture.js'

const SEND_ONLY = 'أرسل USDT فقط، وعبر BNB Smart Chain (BEP-20) فقط؛ أي شيء آخر يُرسل إلى هذا العنوان قد يضيع.'

describe('the language', () => {
  const {lang: before} = document.documentElement
  const pageLang = (lang: string) => (document.documentElement.lang = lang)
  afterEach(() => pageLang(before))

  it('uses the attribute, then the nearest lang through shadow roots, then the browser', () => {
    const outer = document.createElement('div')
    outer.lang = 'fr'
    const inner = document.createElement('div')
    outer.attachShadow({mode: 'open'}).append(inner)
    assert.deepEqual(localesFor(inner, 'de-CH'), ['de-CH', 'fr', ...navigator.languages])
    inner.lang = 'ar'
    assert.deepEqual(localesFor(inner, null), ['ar', 'fr', ...navigator.languages])
  })

  it('uses the first supported locale with its region, else English', () => {
    for (const [wanted, locale, language] of [
      [['de-CH'], 'de-CH', 'de'],
      [['de_AT'], 'de-AT', 'de'],
      [['ar-EG-u-nu-latn'], 'ar-EG-u-nu-latn', 'ar'],
      [['DE-latn-ch'], 'de-Latn-CH', 'de'],
      [['iw'], 'he', 'he'],
      [['zh-TW'], 'zh-TW', 'zh-Hant'],
      [['pt'], 'pt', 'pt-BR'],
      [['pt-AO'], 'pt-AO', 'pt-PT'],
      [['hi-Latn', 'de'], 'de', 'de'],
      [['en-GB', 'de'], 'en-GB', undefined],
      [['tlh', '', 'not a locale!', 'de'], 'de', 'de'],
      [['tlh'], 'en', undefined],
      [[], 'en', undefined],
    ] as const)
      assert.deepEqual(resolveLocale(wanted), {locale, language})
  })

  it('text and formats use one language, also when the requested one is not supported or cannot be loaded', async () => {
    const {fixture, element} = await choosing({charge: ['1234.5']}, {locale: 'de-CH'})
    assert.equal(textOf(element, 'status'), german.status.choosing)
    assert.match(textOf(element, 'price'), /^\$ 1['’]234\.50$/)
    assert.equal(part(element, 'base')?.lang, 'de-CH')
    element.locale = 'tlh'
    await fixture.quiet(element)
    const failed = await choosing(
      {charge: ['1234.5'], environment: {loadTranslation: missing}},
      {locale: 'ar'},
    )
    for (const english of [element, failed.element]) {
      assert.equal(textOf(english, 'status'), en.status.choosing)
      assert.equal(textOf(english, 'price'), '$1,234.50')
    }
    assert.deepEqual([part(failed.element, 'base')?.lang, part(failed.element, 'base')?.dir], ['en', 'ltr'])
  })

  it('sets its own text direction, and keeps amount and address left-to-right', async () => {
    const fixture = new Fixture()
    pageLang('en')
    const {element} = await fixture.paying('825', 'bsc', {locale: 'ar'})
    const base = part(element, 'base') ?? assert.fail()
    assert.deepEqual([base.lang, base.dir], ['ar', 'rtl'])
    assert.include(textOf(element), SEND_ONLY)
    const {amount, address} = quoteOf(element)
    assert.equal(part(element, 'amount')?.textContent, amount)
    assert.equal(part(element, 'address')?.textContent, address)
    for (const name of ['amount', 'address'])
      assert.equal(getComputedStyle(part(element, name) ?? base).direction, 'ltr')
    assert.equal(getComputedStyle(part(element, 'price')?.firstElementChild ?? base).direction, 'ltr')
    element.locale = 'de'
    pageLang('ar')
    await fixture.quiet(element)
    assert.deepEqual([base.lang, base.dir], ['de', 'ltr'])
  })

  it('wraps no price, label or button text on a phone of 320 px, in any language', async () => {
    // Firefox draws wide boxes with digits for scripts without a font. Each machine has fonts for these three.
    const isMeasured = (locale: string) =>
      !navigator.userAgent.includes('Firefox') ||
      /Latn|Cyrl|Grek/.test(new Intl.Locale(locale).maximize().script ?? '')
    const fixture = new Fixture()
    container().style.inlineSize = '320px'
    const {element} = await fixture.paying('825', 'bsc')
    part(element, 'exchange')?.setAttribute('open', '')
    const wrapped: string[] = []
    for (const locale of ['en', ...languages].filter(isMeasured)) {
      element.locale = locale
      await fixture.quiet(element)
      assert.equal(part(element, 'base')?.lang, locale)
      const labels = [...element.renderRoot.querySelectorAll('.field > dt')]
      assert.lengthOf(labels, 3)
      const buttons = [...element.renderRoot.querySelectorAll('.view button, .view a')]
      for (const text of [part(element, 'price') ?? assert.fail(), ...labels, ...buttons]) {
        const range = document.createRange()
        range.selectNodeContents(text)
        const centers = [...range.getClientRects()].map(({top, bottom}) => (top + bottom) / 2)
        const height = Math.max(...centers) - Math.min(...centers)
        if (height > 12) wrapped.push(`${locale}: ${text.textContent.trim()}`)
      }
    }
    assert.deepEqual(wrapped, [])
  })

  it('isolates inserted text, but formats numbers with the digits of the language', () => {
    assert.equal(interpolate('a {x} b', {x: '{y}$&'}), 'a \u2066{y}$&\u2069 b')
    assert.equal(pluralize('{count, plural, one {a} other {a # b}}', 2, ['fa']), 'a ۲ b')
  })

  it('follows changes of the attribute and the page, and keeps the text until the new translation has loaded', async () => {
    const fixture = new Fixture()
    pageLang('de')
    const host = document.createElement('div')
    container().append(host)
    const element = fixture.element({chargeId: await fixture.charge()})
    host.attachShadow({mode: 'open'}).append(element)
    await fixture.quiet(element)
    assert.equal(textOf(element, 'status'), german.status.choosing)
    const seen = new Set<string>()
    const watcher = new MutationObserver(() => seen.add(textOf(element, 'status')))
    watcher.observe(element.renderRoot, {subtree: true, childList: true, characterData: true})
    pageLang('ar')
    await fixture.quiet(element)
    assert.equal(textOf(element, 'status'), arabic.status.choosing)
    host.lang = 'en'
    await fixture.quiet(element)
    watcher.disconnect()
    assert.deepEqual([...seen], [arabic.status.choosing, en.status.choosing])
  })
})

it('shows a placeholder while a translation loads, English after three seconds, then the whole translation', async () => {
  for (const waits of [0, 3_000]) {
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => (arrive = resolve))
    const loadTranslation: Environment['loadTranslation'] = language =>
      arrived.then(() => browserEnvironment.loadTranslation(language))
    const {fixture, element} = await choosing({environment: {loadTranslation}}, {locale: 'ar'})
    await fixture.pass(Math.max(0, waits - 1), element)
    assert.equal(element.getAttribute('phase'), 'choosing')
    assert.equal(textOf(element), '')
    assert.equal(part(element, 'base')?.ariaBusy, 'true')
    if (waits) {
      await fixture.pass(1, element)
      assert.equal(textOf(element, 'status'), en.status.choosing)
    }
    arrive()
    await fixture.pass(0, element)
    assert.equal(textOf(element, 'status'), arabic.status.choosing)
    if (!waits) assert.equal(announced(element), arabic.status.choosing)
    assert.isNull(part(element, 'base')?.ariaBusy)
  }
})

describe('registerLocale', () => {
  it('overrides base and payment texts, also of elements that are already on the page', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {locale: 'de-LI'})
    registerLocale('de-LI', {
      send: 'Bitte {amount} {symbol} auf {network}',
      labels: {amount: 'Genau diese Summe'},
      sendOnly: 'Nur {symbol} auf {network}!',
    })
    await fixture.quiet(element)
    assert.match(textOf(element, 'status'), /^Bitte [\d.]+ USDT auf BNB Smart Chain$/)
    assert.include(textOf(element), 'Genau diese Summe')
    assert.include(textOf(element), 'Nur USDT auf BNB Smart Chain (BEP-20)!')
    assert.include(textOf(element), german.labels.address)
    element.locale = 'de'
    await fixture.quiet(element)
    assert.include(textOf(element), german.labels.amount)
  })

  it('prefers a region over its language, and later calls over earlier ones', async () => {
    registerLocale('en-ZA', {back: 'Other', assets: 'Currencies'})
    registerLocale('en-ZA', {back: 'Another way'})
    const {fixture, element} = await choosing({}, {locale: 'en-ZA'})
    assert.equal(part(element, 'assets')?.ariaLabel, 'Currencies')
    await fixture.choose(element, '1027')
    assert.equal(textOf(element, 'back'), 'Another way')
  })

  it('adds a language, also if an element already requests it, and rejects what is no locale', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {locale: 'dv-MV'})
    assert.include(textOf(element), en.labels.amount)
    const amount = 'އަދަދު ކޮޕީކުރޭ'
    registerLocale('dv', {...arabic, labels: {...arabic.labels, amount}} as Translation)
    await fixture.quiet(element)
    assert.include(textOf(element), amount)
    assert.deepEqual([part(element, 'base')?.lang, part(element, 'base')?.dir], ['dv-MV', 'rtl'])
    assert.equal(plain(part(element, 'qr')?.ariaLabel ?? '').slice(0, 6), 'رمز QR')
    assert.throws(() => registerLocale('not a locale!', german as Translation), RangeError)
  })
})
