/** Our script tag, the least that any checkout could take, and checkouts of others. */
import {basename} from 'node:path'
import {build} from 'esbuild'
import {renderer} from '../../src/pages/render/index.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/node/index.js'
import {builtScriptTag, type Files} from '../../test/e2e/script-tag/test-server.js'
import {installTools} from '../../test/package/project.js'
import {order} from '../../test/server/order.js'

export interface Contender {
  readonly name: string
  readonly files: Files
  /** What the merchant writes into the page. Its files are in the same folder. */
  readonly html: string
  /** The responses of the merchant's server, by path. */
  readonly responses: ReadonlyMap<string, string>
  /** A selector of what appears with the list, also inside shadow roots. */
  readonly list: string
  /** Selectors of the controls to click in order, for the payment. */
  readonly clicks: readonly string[]
}

const LIST = '[part=assets] button'
/** A selector of what shows that a customer can use the payment. */
export const PAYMENT = '[part=qr]'

/** For a page whose shadow root the parser has made. */
const openShadowRoot = `
        const {shadowRoot} = document.querySelector('crypto-checkout')
        roots.push(shadowRoot)
        observe(shadowRoot)
        check(roots)`

/** Ours, and ours rendered on the server. The responses are recorded, so that the figures include no network. */
export async function cryptoCheckout(): Promise<{ours: Contender; painted: Contender; usable: Contender}> {
  const {transport, apiKey} = createSandbox()
  const baseUrl = 'http://127.0.0.1:4010'
  const checkout = createCheckout({apiKey, baseUrl, transport, store: memoryStore(), renderer})
  const {_id: id} = await checkout.service.createCharge(order())
  const post = async (path: string, body: object): Promise<[string, string]> => {
    const headers = {'content-type': 'application/json'}
    const url = `http://shop.example/crypto-checkout/${path}`
    const response = await checkout.fetch(
      new Request(url, {method: 'POST', headers, body: JSON.stringify(body)}),
    )
    if (!response.ok) throw new Error(`the proxy returned ${response.status}`)
    return [`api/${path}`, await response.text()]
  }
  const rendered = await checkout.render(id, {attributes: {endpoint: 'api'}})
  const responses = new Map([
    await post(`charges/${id}`, {}),
    await post(`charges/${id}/quote`, {asset: '825', network: 'bsc'}),
  ])
  await checkout.close()
  const ours: Contender = {
    name: 'crypto-checkout',
    files: await builtScriptTag(),
    html: `<script type="module" src="crypto-checkout.js"></script>
      <crypto-checkout charge-id="${id}" endpoint="api"></crypto-checkout>`,
    responses,
    list: LIST,
    clicks: ['[data-asset="825"]', '[data-network="bsc"]'],
  }
  const [asset = '', network = ''] = ours.clicks
  const html = (script: string) =>
    `${rendered.replace('/crypto-checkout/crypto-checkout.js', 'crypto-checkout.js')}<script>${openShadowRoot}${script}</script>`
  const click = `;bench.clickAtOnce(shadowRoot, '${asset}')`
  return {
    ours,
    painted: {...ours, name: 'rendered, painted', html: html('')},
    usable: {...ours, name: 'rendered, usable', html: html(click), list: network, clicks: [network]},
  }
}

export interface Snapshot {
  readonly attributes: string
  readonly styles: string
  readonly html: string
}

/** A static page with the DOM and styles of ours, which replaces the list by the payment at a click. */
export function floorOf(ours: Contender, list: Snapshot, paying: Snapshot): Contender {
  const clicks = ours.clicks.slice(0, 1)
  return {
    name: 'floor',
    files: new Map(),
    html: `<crypto-checkout ${list.attributes}>
        <template shadowrootmode="open"><style>${paying.styles}</style><div>${list.html}</div></template>
      </crypto-checkout>
      <template id="paying">${paying.html}</template>
      <script>${openShadowRoot}
        shadowRoot.querySelector('${clicks.join()}').onclick = () =>
          shadowRoot.lastElementChild.replaceChildren(document.querySelector('#paying').content.cloneNode(true))
      </script>`,
    responses: new Map(),
    list: LIST,
    clicks,
  }
}

/** Without icons, which ours shows later than the list. */
export function withoutIcons(ours: Contender): Contender {
  return {...ours, html: ours.html.replace('<crypto-checkout ', '<crypto-checkout logos="none" ')}
}

/** An invoice of the specification: https://github.com/lightning/bolts/blob/master/11-payment-encoding.md */
const invoice =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

/** As a page's own bundler builds them. They ask no server, so what they show needs no response. */
export async function otherCheckouts(): Promise<Contender[]> {
  const tools = await installTools('bench/tools.json')
  const other = async (name: string, code: string, html: string, list: string): Promise<Contender> => ({
    name,
    files: await bundled(tools, code),
    html: `<script type="module" src="other.js"></script>${html}`,
    responses: new Map(),
    list,
    clicks: [],
  })
  return [
    await other(
      'bitcoin-connect',
      `import '@getalby/bitcoin-connect'`,
      `<bc-payment invoice="${invoice}" payment-methods="external"></bc-payment>`,
      'a[href^="lightning:"] :is(svg, img), img[src^="data:image"], bci-qr, canvas',
    ),
    await other(
      'Adyen drop-in',
      `import {AdyenCheckout, Card, Dropin} from '@adyen/adyen-web'
       const checkout = await AdyenCheckout({
         environment: 'test', clientKey: 'test_OCTO', countryCode: 'DE', locale: 'en-US',
         amount: {value: 10000, currency: 'EUR'}, analytics: {enabled: false},
         paymentMethodsResponse: {paymentMethods: [{type: 'scheme', name: 'Card', brands: ['visa', 'mc']}]},
       })
       new Dropin(checkout, {paymentMethodComponents: [Card]}).mount('main')`,
      '<main></main>',
      '.adyen-checkout__payment-method',
    ),
  ]
}

async function bundled(tools: string, contents: string): Promise<Files> {
  const {outputFiles} = await build({
    stdin: {contents, resolveDir: tools, sourcefile: 'other.js'},
    outdir: tools,
    entryNames: 'other',
    write: false,
    bundle: true,
    // For Node, never loaded in a browser.
    external: ['crypto'],
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
  })
  return new Map(outputFiles.map(({path, text}) => [basename(path), text]))
}
