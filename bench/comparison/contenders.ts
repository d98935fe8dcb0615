/** The checkouts that are measured. Each is on a page of its own, with a function that mounts it. */
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {build} from 'vite'
import {builtScriptTag, type Files} from '../../test/e2e/script-tag/test-server.js'
import type {RecordedResponses} from './recorded-responses.js'

export interface Contender {
  readonly name: string
  readonly files: Files
  /** The file that the page's script tag names. */
  readonly entry: string
  /** What the merchant writes into the page. Its files are in the same folder. */
  readonly html: string
  /** The responses of the merchant's server, by path. */
  readonly responses?: ReadonlyMap<string, string>
  /** A script of the page. It defines `mount(parent)`. */
  readonly mount: string
  /** A selector, also inside shadow roots, of something that exists once a customer can use the checkout. */
  readonly usable: string
  readonly choose?: Choice
}

/** Selectors of the controls to click in order, and of the result. */
export interface Choice {
  readonly clicks: readonly string[]
  readonly result: string
}

/** Not dependencies of the project. The versions are fixed, so that figures can be compared. */
const folder = resolve('node_modules/.cache/other-checkouts')
const versions = {'@getalby/bitcoin-connect': '3.12.3', '@adyen/adyen-web': '6.45.2'}

/** The first invoice of the specification's examples: https://github.com/lightning/bolts/blob/master/11-payment-encoding.md */
const invoice =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

export async function cryptoCheckout({opened, quoted, chargeId}: RecordedResponses): Promise<Contender> {
  return {
    name: 'crypto-checkout',
    files: await builtScriptTag(),
    entry: 'crypto-checkout.js',
    html: `<script type="module" src="crypto-checkout.js"></script>
      <crypto-checkout charge-id="${chargeId}" endpoint="api"></crypto-checkout>`,
    responses: new Map([
      [`api/charges/${chargeId}`, JSON.stringify(opened)],
      [`api/charges/${chargeId}/quote`, JSON.stringify(quoted)],
    ]),
    mount: `
      const mount = parent => {
        const element = document.createElement('crypto-checkout')
        Object.assign(element, {chargeId: '${chargeId}', endpoint: 'api', logos: 'none'})
        parent.append(element)
        return element
      }`,
    usable: '[part=assets] button',
    choose: {clicks: ['[data-asset="825"]', '[data-network="bsc"]'], result: '[part=qr]'},
  }
}

export async function otherCheckouts(): Promise<Contender[]> {
  install()
  return [
    {
      name: 'bitcoin-connect',
      ...(await bundled('bitcoin-connect', `import '@getalby/bitcoin-connect'`)),
      html: `<script type="module" src="bitcoin-connect.js"></script>
        <bc-payment invoice="${invoice}" payment-methods="external"></bc-payment>`,
      mount: `
        const mount = parent => {
          const element = document.createElement('bc-payment')
          element.setAttribute('invoice', '${invoice}')
          element.setAttribute('payment-methods', 'external')
          parent.append(element)
          return element
        }`,
      usable: 'a[href^="lightning:"] svg, a[href^="lightning:"] img, img[src^="data:image"], bci-qr, canvas',
    },
    {
      name: 'Adyen drop-in',
      ...(await bundled(
        'adyen',
        `import {AdyenCheckout, Card, Dropin} from '@adyen/adyen-web'
         import '@adyen/adyen-web/styles/adyen.css'
         globalThis.adyen = {AdyenCheckout, Card, Dropin}`,
      )),
      html: `<script type="module" src="adyen.js"></script>
        <main></main>
        <script type="module">mount(document.querySelector('main'))</script>`,
      mount: `
        let created
        const mount = async parent => {
          const {AdyenCheckout, Card, Dropin} = adyen
          const checkout = await (created ??= AdyenCheckout({
            environment: 'test', clientKey: 'test_OCTO', countryCode: 'DE', locale: 'en-US',
            amount: {value: 10000, currency: 'EUR'}, analytics: {enabled: false},
            paymentMethodsResponse: {paymentMethods: [{type: 'scheme', name: 'Card', brands: ['visa', 'mc']}]},
          }))
          const container = document.createElement('div')
          parent.append(container)
          const dropin = new Dropin(checkout, {paymentMethodComponents: [Card]}).mount(container)
          return {remove() { dropin.unmount(); container.remove() }}
        }`,
      usable: '.adyen-checkout__payment-method',
    },
  ]
}

function install(): void {
  if (Object.keys(versions).every(name => existsSync(`${folder}/node_modules/${name}/package.json`))) return
  mkdirSync(folder, {recursive: true})
  writeFileSync(`${folder}/package.json`, JSON.stringify({private: true, type: 'module'}))
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact']
  const {status} = spawnSync('npm', ['install', ...options, ...wanted], {cwd: folder, stdio: 'inherit'})
  if (status !== 0) throw new Error('the other checkouts could not be installed')
}

/** Minified, with lazy chunks, as a page's own bundler would build it. */
async function bundled(name: string, code: string): Promise<{files: Files; entry: string}> {
  const entry = `${folder}/${name}.js`
  writeFileSync(entry, code)
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      write: false,
      rolldownOptions: {input: entry, output: {entryFileNames: '[name].js'}},
    },
  })
  const files: Files = new Map(
    [built]
      .flat()
      .flatMap(one =>
        'output' in one
          ? one.output.map(
              file => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)] as const,
            )
          : [],
      ),
  )
  return {files, entry: `${name}.js`}
}
