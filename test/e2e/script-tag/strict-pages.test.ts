/** A page whose policy allows next to nothing. `ENGINES=chromium,firefox,webkit` says where; Chromium by itself. */
import assert from 'node:assert/strict'
import {it} from 'node:test'
import {until, type EnginePage} from '../../engines/engine.js'
import {TIMEOUT_MS, untilPart, untilPhase} from './customer.js'
import {inEveryEngine, script} from './every-engine.js'
import {builtScriptTag, type SourceChange} from './test-server.js'

const strict = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'none'; img-src 'self' https:",
  "require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')
const HEADER = 'src/element/views/order-summary.ts'

inEveryEngine('on a strict page', ({server, engine, name}) => {
  it('chooses, shows the QR code and is paid, without a word on the console or a violation', async () => {
    const {page, troubles} = await pay('/strict')
    assert.deepEqual(troubles, [])
    await page.close()
  })

  it('may fetch the logos, which are https', async () => {
    const page = await opened('/logos', {attributes: ''})
    await untilPhase(page, 'choosing')
    assert.deepEqual(await page.evaluate(() => violations), [])
    await page.close()
  })

  it('two copies ask for the policy to say allow-duplicates, and then pay as one', async () => {
    server().serve('second', await builtScriptTag())
    const policy = `${strict} 'allow-duplicates'`
    const second = '<script type="module" src="/second/crypto-checkout.js"></script>'
    const {page, troubles} = await pay('/two', {policy, head: script + second})
    assert.equal(troubles.length, 1)
    assert.match(troubles[0]!, /<crypto-checkout>: version .* is already on this page/)
    await page.close()
  })

  it('without that, the second copy fails by itself, and the first one still pays', async () => {
    server().serve('second', await builtScriptTag())
    const second = '<script type="module" src="/second/crypto-checkout.js"></script>'
    const {page} = await pay('/one-too-many', {head: script + second})
    await page.close()
  })

  const styleAttribute: [string, SourceChange] = [
    'a style="" in a template',
    {file: HEADER, from: '<p part="price">', to: '<p part="price" style="color: red">'},
  ]
  const spoils: [string, SourceChange][] = [
    // WebKit does not look at the attributes of what is cloned from a template.
    ...(name === 'webkit' ? [] : [styleAttribute]),
    [
      'an innerHTML',
      {
        file: 'src/element/crypto-checkout.ts',
        from: 'protected override updated(',
        to: `override firstUpdated() { this.shadowRoot.querySelector('[role=status]').innerHTML = '<b>x</b>' }
              protected override updated(`,
      },
    ],
    [
      'a style element',
      {file: HEADER, from: '<p part="price">', to: '<style>p { color: red }</style><p part="price">'},
    ],
    [
      'an eval',
      {
        file: 'src/element/i18n/resolve-locale.ts',
        from: 'return [attribute',
        to: 'Function("return 1")(); return [attribute',
      },
    ],
  ]
  for (const [what, change] of spoils)
    it(`would be seen: ${what}`, async () => {
      server().serve('spoiled', await builtScriptTag(change))
      const head = '<script type="module" src="/spoiled/crypto-checkout.js"></script>'
      const page = await opened('/spoiled-page', {head})
      const isSeen = await until(page, TIMEOUT_MS, () => violations.length > 0 || troubles.length > 0)
      assert.ok(isSeen)
      await page.close()
    })

  interface Given {
    readonly policy?: string
    readonly head?: string
    readonly attributes?: string
  }

  async function opened(path: string, given: Given = {}, chargeId?: string): Promise<EnginePage> {
    const {policy = strict, head = script, attributes = 'logos="none"'} = given
    const id = chargeId ?? (await server().charge())
    const body = `<crypto-checkout charge-id="${id}" ${attributes}><p>No script</p></crypto-checkout>`
    const page = await engine().openPage()
    await page.goto(server().page(path, {policy, head, body}))
    return page
  }

  async function pay(path: string, given: Given = {}) {
    const chargeId = await server().charge()
    const page = await opened(path, given, chargeId)
    await untilPhase(page, 'choosing')
    await page.click('crypto-checkout >>> [data-asset="825"]')
    await page.click('crypto-checkout >>> [data-network="bsc"]')
    await untilPhase(page, 'paying')
    await untilPart(page, 'qr')
    server().pay(chargeId, '825', 'bsc')
    await untilPhase(page, 'paid')
    const seen = await page.evaluate(() => [...violations, ...troubles])
    return {page, troubles: seen}
  }
})
