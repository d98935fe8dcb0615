/**
 * The QR codes of a real page, read by three published decoders from pictures at four scales, and their payment requests,
 * read by the published parsers of two wallets' makers.
 */
import assert from 'node:assert/strict'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {before, describe, test} from 'node:test'
import algosdk from 'algosdk'
import type {Page} from 'puppeteer-core'
import type {Quote} from '../../src/contract/checkout.js'
import {useShopInChromium} from '../e2e/page-shop.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {installTools, temporaryFolder} from '../package/project.js'
import {skipWithout} from '../system/programs.js'
import {qrDecoders} from './qr-decoders.js'

const SCALES = [0.75, 1, 2, 3]
const JPEG_QUALITY = 40

const html = (chargeId: string | null) => `<!doctype html><title>Pay</title>
  <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
  <crypto-checkout charge-id="${chargeId}"></crypto-checkout>
  <script>
    const {asset, network} = Object.fromEntries(new URLSearchParams(location.search))
    Object.assign(document.querySelector('crypto-checkout'), {asset, network})
  </script>`

interface EthUrlParser {
  parse(uri: string): {
    target_address: string
    chain_id: string
    function_name?: string
    parameters: Record<string, string>
  }
}
type EthParseUri = (uri: string) => Record<string, string>

const pictures = temporaryFolder()
let decoders: Awaited<ReturnType<typeof qrDecoders>>
let tools: NodeJS.Require

describe('QR codes and payment requests', {skip: skipWithout('chromium', 'zbarimg')}, () => {
  const suite = useShopInChromium(html)
  before(async () => {
    const folder = await installTools('test/third-party/tools.json')
    tools = createRequire(join(folder, 'tools.js'))
    decoders = await qrDecoders(folder, pictures)
  })

  for (const {symbol, network, convertId} of pairs)
    test(`of ${symbol} on ${network} are read by others`, async () => {
      const page = await suite.browser.newPage()
      const chargeId = await suite.shop.order('12.34')
      await page.goto(`${suite.shop.url}/?charge=${chargeId}&asset=${convertId}&network=${network}`)
      const {uri = '', ...quote} = await quoteOn(page)
      await isReadEverywhere(page, quote.address)
      await (await page.waitForSelector('crypto-checkout >>> [part=qr-switch]'))?.click()
      await page.waitForSelector('crypto-checkout >>> [part=qr-switch][aria-checked=true]')
      await isReadEverywhere(page, uri)
      if (network === 'algorand') isReadByAlgorand(uri, quote)
      else isReadByWallets(uri, quote)
      await page.close()
    })
})

/** Once the icons have loaded. */
async function quoteOn(page: Page): Promise<Quote> {
  await page.waitForSelector('crypto-checkout[phase=paying] >>> [part=qr] .centre')
  return page.evaluate(() => document.querySelector('crypto-checkout')!.checkout!.quote!)
}

async function isReadEverywhere(page: Page, text: string): Promise<void> {
  const unread: string[] = []
  for (const deviceScaleFactor of SCALES) {
    await page.setViewport({width: 800, height: 1200, deviceScaleFactor})
    const svg = await page.waitForSelector('crypto-checkout >>> [part=qr]')
    for (const type of ['png', 'jpeg'] as const) {
      const quality = type === 'jpeg' ? {quality: JPEG_QUALITY} : {}
      const bytes = (await svg?.screenshot({type, ...quality})) ?? assert.fail()
      for (const [name, decode] of Object.entries(decoders)) {
        const read = await decode({type, bytes})
        if (read !== text) unread.push(`${name} at ${deviceScaleFactor} as ${type}: ${String(read)}`)
      }
    }
  }
  assert.deepEqual(unread, [], text)
}

function isReadByWallets(uri: string, {address, baseUnits, chainId, contract}: Quote): void {
  const {parse} = tools('eth-url-parser') as EthUrlParser
  const {default: parseUri} = tools('eth-parse-uri') as {default: EthParseUri}
  const read = parse(uri)
  const other = parseUri(uri)
  assert.deepEqual([read.chain_id, other['chainId']], [String(chainId), String(chainId)])
  assert.deepEqual([read.target_address, other['targetAddress']], [contract ?? address, contract ?? address])
  const amount: Record<string, unknown> = contract ? {address, uint256: baseUnits} : {value: baseUnits}
  assert.deepEqual(read.parameters, amount)
  assert.deepEqual(
    [read.function_name, other['functionName']],
    contract ? ['transfer', 'transfer'] : [undefined, ''],
  )
  for (const [name, value] of Object.entries(amount)) assert.equal(other[name], value)
}

/** Nobody has published a parser of ARC-26: it is a URL with an address. */
function isReadByAlgorand(uri: string, {address, baseUnits, contract}: Quote): void {
  const {protocol, host, searchParams} = new URL(uri)
  assert.equal(protocol, 'algorand:')
  assert.equal(algosdk.encodeAddress(algosdk.decodeAddress(host).publicKey), address)
  assert.deepEqual(Object.fromEntries(searchParams), {
    amount: baseUnits,
    ...(contract ? {asset: contract} : {}),
  })
}
