/** The page with the checkout that a merchant sends as a link. */
import assert from 'node:assert/strict'
import {readdirSync} from 'node:fs'
import {test} from 'node:test'
import {isValidToken} from '../../src/server/api/client-token.js'
import {noLimits} from '../../src/server/api/rate-limit.js'
import type {HostedPageOptions} from '../../src/pages/document.js'
import {pageLanguage, pageLanguages} from '../../src/pages/page-texts.js'
import {renderer} from '../../src/pages/render/index.js'
import {scriptFilesOf} from '../../src/pages/script-files.js'
import {requestOf} from '../http/loopback.js'
import {scripted, startOfTest} from '../server/scripted-service.js'

const scripts = scriptFilesOf({'crypto-checkout.js': ''})
const tokenSecret = 'a secret of at least 32 characters'
const brand = {
  name: 'Halm & Oak',
  logo: 'https://cdn.example/logo.svg?v=2',
  supportUrl: 'mailto:help@halm.example',
  stylesheet: '/brand;v=1,2.css',
}

async function load(hostedPage: HostedPageOptions, path = '/pay/c1', headers: Record<string, string> = {}) {
  const {checkout, service} = scripted({
    hostedPage,
    renderer,
    scripts,
    limits: {...noLimits, consume: () => 60},
  })
  const reply = await checkout.handler(requestOf('GET', path, {headers: {host: 'shop.example', ...headers}}))
  assert(reply)
  assert.deepEqual(service.calls, {}, 'the preview of a link must not open the charge')
  return {...reply, text: String(reply.body)}
}

test('the page has the element, the name, and a preview without amount, id and referrer', async () => {
  const {status, headers, text} = await load(brand, '/pay/c1', {'sec-fetch-site': 'cross-site'})
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(headers['x-robots-tag'] ?? '', /noindex/)
  assert.match(text, /<crypto-checkout charge-id="c1" endpoint="\.\." locale="">/)
  assert.match(text, /<script type="module" src="\.\.\/crypto-checkout\.js"><\/script>/)
  const [preview = ''] = text.split('<style>')
  for (const part of [
    '<title>Halm &#38; Oak · Pay with crypto</title>',
    '<meta name="robots" content="noindex, nofollow">',
    '<meta name="description" content="Pay with crypto">',
    '<meta property="og:title" content="Halm &#38; Oak">',
    '<meta property="og:description" content="Pay with crypto">',
    '<meta property="og:image" content="https://cdn.example/logo.svg?v=2">',
  ])
    assert.ok(preview.includes(part), part)
  assert.doesNotMatch(preview, /c1|\d\d[.,]\d\d|USD/)
  assert.match(text, /<noscript><a class="button" href="c1\/plain">Pay with crypto<\/a><\/noscript>/)
  assert.match(text, /<footer><a href="mailto:help@halm\.example" lang="en">Contact the shop<\/a>/)
})

test('every URL of the page is relative, also on hosts that add a slash to every path', async () => {
  for (const slash of ['', '/']) {
    const {text} = await load(brand, `/pay/c1${slash}`)
    const base = `https://shop.example/checkout/pay/c1${slash}`
    for (const [pattern, path] of [
      [/endpoint="([^"]+)"/, '/checkout/'],
      [/ src="([^"]+\.js)"/, '/checkout/crypto-checkout.js'],
      [/class="button" href="([^"]+)"/, '/checkout/pay/c1/plain'],
    ] as const)
      assert.equal(new URL(pattern.exec(text)?.[1] ?? 'https://none', base).pathname, path)
  }
})

test('the policy allows the own script, and exactly the style sheet and the logo', async () => {
  const policyOf = async (options: HostedPageOptions, host = 'shop.example:8443') =>
    (await load(options, '/pay/c1', {host})).headers['content-security-policy']
  const hash = "'sha256-[\\w+/]{43}='"
  assert.match(
    (await policyOf(brand)) ?? '',
    new RegExp(
      `^default-src 'none'; script-src 'self' ${hash}; connect-src 'self'; form-action 'none'; ` +
        `require-trusted-types-for 'script'; trusted-types lit-html; ` +
        `style-src ${hash} shop\\.example:8443/brand%3Bv=1%2C2\\.css; img-src data: https://cdn\\.example/logo\\.svg; ` +
        `font-src 'self'; base-uri 'none'; frame-ancestors 'none'$`,
    ),
  )
  assert.match((await policyOf({name: 'Shop'})) ?? '', /; img-src data:; base-uri/)
  const other = {name: 'Shop', stylesheet: 'https://cdn.example/a.css'}
  assert.match(
    (await policyOf(other)) ?? '',
    /https:\/\/cdn\.example\/a\.css; img-src data:; font-src https:\/\/cdn\.example;/,
  )
  for (const host of ["x; script-src 'unsafe-inline'", 'a, b', '[::1]:3000', ''])
    assert.match((await policyOf(brand, host)) ?? '', /style-src 'sha256-[^ ]+ 'self'; img-src/, host)
})

test('every value is escaped', async () => {
  const {text} = await load({
    name: `<script>alert("1")</script>'&`,
    logo: `/"><script>1</script>`,
    supportUrl: `mailto:"><script>1</script>`,
    stylesheet: `/'"><script>1</script>`,
  })
  assert.equal(text.match(/<script/g)?.length, 2)
  assert.doesNotMatch(text, /alert\("1/)
})

test('an invalid id gets a 404 page without the element, and the page is unknown without the option', async () => {
  for (const id of ['', 'a/b', '%2e%2e', 'a%2Fb', 'convert', '%zz', '<script>', 'a'.repeat(65)]) {
    const {status, headers, text} = await load(brand, `/pay/${id}`)
    assert.equal(status, 404, id)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(text, /<h2>This payment cannot be shown here\.<\/h2>/)
    assert.doesNotMatch(text, /<script|<crypto-checkout/)
  }
  const {request} = scripted({scripts})
  assert.equal((await request('GET', '/pay/c1')).json.code, 'not_found')
  assert.equal((await scripted({scripts, hostedPage: brand}).request('POST', '/pay/c1')).status, 405)
})

test('the language and direction follow Accept-Language', async () => {
  for (const [accepted, tag, direction, locale] of [
    [undefined, 'en', 'ltr', ''],
    ['de-CH, en;q=0.8', 'de-CH', 'ltr', 'de-CH'],
    ['xx, ar-EG;q=0.5, de;q=0.4', 'ar-EG', 'rtl', 'xx'],
    ['en;q=0.1,zh-TW;q=0.9', 'zh-TW', 'ltr', 'zh-TW'],
    ['fr;q=0, "><script>, *', 'en', 'ltr', ''],
  ] as const) {
    const {text, headers} = await load(
      brand,
      '/pay/c1',
      accepted === undefined ? {} : {'accept-language': accepted},
    )
    assert.ok(text.includes(`<html lang="${tag}" dir="${direction}">`), accepted)
    assert.ok(text.includes(`locale="${locale}"`), accepted)
    assert.equal(headers['vary'], 'Accept-Language')
  }
  assert.equal(pageLanguage('zh-TW').texts.title, pageLanguage('zh-Hant').texts.title)
  const translations = readdirSync('src/translations')
  for (const name of pageLanguages)
    assert.ok(
      translations.some(file => file.startsWith(name)),
      name,
    )
})

test('payUrl returns the link, with a token of the charge in its fragment', () => {
  const origin = 'https://shop.example'
  assert.equal(
    scripted({scripts, hostedPage: {name: 'Shop', origin}}).checkout.payUrl('c1'),
    `${origin}/crypto-checkout/pay/c1`,
  )
  const {checkout} = scripted({scripts, hostedPage: {name: 'Shop'}, basePath: '/', tokenSecret})
  for (const [options, seconds] of [
    [undefined, 86_400],
    [{expiresIn: 60}, 60],
  ] as const) {
    const [path, token = ''] = checkout.payUrl('c1', options).split('#token=')
    assert.equal(path, '/pay/c1')
    assert.equal(isValidToken(tokenSecret, 'c1', token, startOfTest + seconds * 1_000 - 1), true)
    assert.equal(isValidToken(tokenSecret, 'c1', token, startOfTest + seconds * 1_000), false)
  }
  assert.throws(() => checkout.payUrl('a/b'), {code: 'invalid_id'})
  assert.throws(() => scripted().checkout.payUrl('c1'), /payUrl needs the option hostedPage/)
})

test('an invalid option of the hosted page is named, and its value is not repeated', () => {
  const name = 'Shop'
  for (const [hostedPage, message] of [
    [{}, 'hostedPage.name must be the name of the shop, of up to 100 characters'],
    [{name: ' '}, 'hostedPage.name must be the name of the shop, of up to 100 characters'],
    [{name, logo: 'logo.svg'}, /^hostedPage.logo must be an https URL, or a path that starts with a slash$/],
    [{name, logo: '//cdn.example/a'}, /^hostedPage.logo must be an https URL/],
    [{name, stylesheet: 'http://cdn.example/a'}, /^hostedPage.stylesheet must be an https URL/],
    [
      {name, supportUrl: 'javascript:alert(1)'},
      /^hostedPage.supportUrl must be an https URL, a path, mailto:/,
    ],
    [{name, origin: 'http://shop.example'}, /^hostedPage.origin must be an exact origin with https/],
    [{name, Logo: '/a'}, 'there is no option hostedPage.Logo; did you mean hostedPage.logo?'],
  ] as const)
    assert.throws(() => scripted({scripts, hostedPage: hostedPage as HostedPageOptions}), {
      name: 'ConfigurationError',
      message,
    })
})
