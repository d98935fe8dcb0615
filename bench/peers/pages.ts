/** What is measured: our script tag, and two peers that draw themselves, each on a page that mounts it once it is asked to. */
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {resolve} from 'node:path'
import {build} from 'vite'
import {builtScriptTag, type Files} from '../../test/e2e/script-tag/test-server.js'
import type {Answers} from './answers.js'

export interface Contender {
  readonly name: string
  readonly files: Files
  /** The file that the page's script tag names. */
  readonly entry: string
  /** A module of the page: gives `globalThis.mount(place)`. */
  readonly page: string
  /** What is there when a customer can use it, looked for in every shadow root. */
  readonly usable: string
  /** What is pressed after that, one after the other, and what is then there; not every peer has a choice. */
  readonly choose?: {readonly press: readonly string[]; readonly shows: string}
}

/** Apart from the project's own dependencies, and of these versions, so that figures can be compared. */
const folder = resolve('node_modules/.cache/peers')
const versions = {'@getalby/bitcoin-connect': '3.12.3', '@adyen/adyen-web': '6.45.2'}

/** The first invoice of the specification's examples: https://github.com/lightning/bolts/blob/master/11-payment-encoding.md */
const invoice =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

export async function ours({opened, quoted, chargeId}: Answers): Promise<Contender> {
  return {
    name: 'crypto-checkout',
    files: await builtScriptTag(),
    entry: 'crypto-checkout.js',
    page: `
      const answers = {open: ${JSON.stringify(opened)}, quote: ${JSON.stringify(quoted)}}
      const answer = async (path, {method}) =>
        path.endsWith('/events') ? new Response('', {status: 404})
        : Response.json(path.endsWith('/quote') ? answers.quote : answers.open)
      globalThis.mount = place => {
        const element = document.createElement('crypto-checkout')
        Object.assign(element, {chargeId: '${chargeId}', logos: 'none', forget: true, fetch: answer})
        place.append(element)
        return element
      }`,
    usable: '[part=assets] button',
    choose: {press: ['[data-asset="825"]', '[data-network="bsc"]'], shows: '[part=qr]'},
  }
}

export async function peers(): Promise<Contender[]> {
  install()
  return [
    {
      name: 'bitcoin-connect',
      ...(await bundled('bitcoin-connect', `import '@getalby/bitcoin-connect'`)),
      page: `
        globalThis.mount = place => {
          const element = document.createElement('bc-payment')
          element.setAttribute('invoice', '${invoice}')
          element.setAttribute('payment-methods', 'external')
          place.append(element)
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
      page: `
        let made
        globalThis.mount = async place => {
          const {AdyenCheckout, Card, Dropin} = adyen
          const checkout = await (made ??= AdyenCheckout({
            environment: 'test', clientKey: 'test_OCTO', countryCode: 'DE', locale: 'en-US',
            amount: {value: 10000, currency: 'EUR'}, analytics: {enabled: false},
            paymentMethodsResponse: {paymentMethods: [{type: 'scheme', name: 'Card', brands: ['visa', 'mc']}]},
          }))
          const own = document.createElement('div')
          place.append(own)
          const dropin = new Dropin(checkout, {paymentMethodComponents: [Card]}).mount(own)
          return {remove() { dropin.unmount(); own.remove() }}
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
  if (status !== 0) throw new Error('the peers could not be installed')
}

/** As a page's own bundler would: minified, with what the peer loads late split off. */
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
