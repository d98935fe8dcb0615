/** The HTML that a merchant puts into a page. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {PropertyDeclaration} from 'lit'
import {CryptoCheckout} from '../../src/element/index.js'
import german from '../../src/translations/de.json' with {type: 'json'}
import type {RenderOptions} from '../../src/pages/element-markup.js'
import {scripted} from '../server/scripted-service.js'

const render = (options?: RenderOptions, basePath = '/crypto-checkout') =>
  scripted({basePath}).checkout.render('c1', options)
const tagOf = (html: string) => /<crypto-checkout[^>]*>/.exec(html)?.[0]

test('the script is that of the proxy, and the element has the charge, which is neither opened nor read', async () => {
  const {checkout, service} = scripted()
  const html = await checkout.render('c1')
  assert.deepEqual(service.calls, {}, 'so it cannot fail or wait')
  assert.match(html, /<script type="module" src="\/crypto-checkout\/crypto-checkout\.js"><\/script>/)
  assert.equal(tagOf(html), '<crypto-checkout charge-id="c1">')
  const elsewhere = await render({}, '/shop/pay')
  assert.match(elsewhere, /src="\/shop\/pay\/crypto-checkout\.js"/)
  assert.equal(tagOf(elsewhere), '<crypto-checkout charge-id="c1" endpoint="/shop/pay">')
})

test('attributes are escaped; true is one without a value, and false is none', async () => {
  const attributes = {class: 'a"><script>', 'auto-redirect': true, modal: false, id: "'pay'"}
  const html = await render({attributes})
  assert.equal(
    tagOf(html),
    '<crypto-checkout charge-id="c1" auto-redirect class="a&#34;&#62;&#60;script&#62;" id="&#39;pay&#39;">',
  )
  assert.equal(html.match(/<script/g)?.length, 1)
})

test('the placeholder has the language of the customer, which the element keeps, and a nonce', async () => {
  const html = await render({locale: 'de-AT,en;q=0.5', nonce: 'r4nd0m+/='})
  assert.match(html, new RegExp(`<p lang="de-AT" dir="ltr">${german.status.loading}</p>`))
  assert.equal(tagOf(html), '<crypto-checkout charge-id="c1" locale="de-AT">')
  assert.match(html, /^<style nonce="r4nd0m\+\/=">/)
  assert.match(html, /<script [^>]*nonce="r4nd0m\+\/="><\/script>/)
  assert.match(await render({locale: 'ur'}), /<p lang="ur" dir="rtl">/)
})

test('every attribute of the element can be given', async () => {
  const properties: Record<string, PropertyDeclaration> = CryptoCheckout.properties
  const names = Object.entries(properties).flatMap(([name, {attribute = name, type}]) =>
    typeof attribute !== 'string' || name === 'chargeId' ? [] : [[attribute, type === Boolean] as const],
  )
  const values: Record<string, string> = {theme: 'dark', qr: 'request', logos: 'none', wallets: 'none'}
  for (const [name, isFlag] of names) {
    const value = isFlag ? true : (values[name] ?? 'x')
    const html = await render({attributes: {[name]: value}})
    assert.ok(tagOf(html)?.includes(isFlag ? ` ${name}` : ` ${name}="${value}"`), name)
  }
  assert.ok(names.length > 10)
})

test('what cannot be meant is refused, with the name of the option', async () => {
  for (const [options, message] of [
    [{attributes: {onclick: 'x'}}, /there is no option attributes\.onclick/],
    [{attributes: {theme: 'blue'}}, /attributes\.theme must be auto or light or dark/],
    [{attributes: {modal: 'yes'}}, /attributes\.modal must be true or false/],
    [{nonce: '"><script>'}, /nonce must be a nonce/],
    [{lang: 'de'}, /there is no option lang/],
  ] as const)
    await assert.rejects(render(options as RenderOptions), {name: 'ConfigurationError', message})
  await assert.rejects(scripted().checkout.render('a/b'), {code: 'invalid_id'})
})
