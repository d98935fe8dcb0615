/** A checkout whose proxy is on another origin, which browsers ask for permission before some requests. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {after, it} from 'node:test'
import {chooseUsdtOnBsc, selectedEngines, until, type Engine} from '../engines/engine.js'
import {closeServer, listen} from '../http/loopback.js'
import {describeIn} from './describe-in.js'
import {startPageShop} from './page-shop.js'
import {startRecordingProxy} from './recording-proxy.js'

const pages = createServer((req, res) => {
  const {searchParams} = new URL(req.url ?? '/', 'http://127.0.0.1')
  const [charge, endpoint] = [searchParams.get('charge'), searchParams.get('endpoint')]
  res.setHeader('content-type', 'text/html')
  res.end(`<!doctype html><script type="module" src="${endpoint}/crypto-checkout.js"></script>
    <crypto-checkout charge-id="${charge}" endpoint="${endpoint}"></crypto-checkout>`)
})
const origin = `http://127.0.0.1:${await listen(pages)}`
const shop = await startPageShop({allowedOrigins: [origin]})
const proxy = await startRecordingProxy(shop.url)
let engine: Engine

after(async () => {
  await proxy.close()
  await shop.close()
  await closeServer(pages)
})

for (const name of selectedEngines())
  describeIn(
    name,
    'a page of a listed origin',
    next => (engine = next),
    () => {
      it('asks for permission before it opens and quotes, and before no read', async () => {
        const chargeId = await shop.order()
        const path = `/crypto-checkout/charges/${chargeId}`
        const page = await engine.openPage()
        const endpoint = encodeURIComponent(`${proxy.url}/crypto-checkout`)
        await page.goto(`${origin}/?charge=${chargeId}&endpoint=${endpoint}`)
        await chooseUsdtOnBsc(page)
        const time = await page.evaluate(
          () => document.querySelector('crypto-checkout')!.checkout!.serverTime,
        )
        const hasRead = (before: string) => {
          const {checkout} = document.querySelector('crypto-checkout')!
          return checkout!.serverTime !== before && checkout!.quote !== null
        }
        await until(page, 'reading', hasRead, time)
        const exchanges = proxy.exchanges.filter(exchange => exchange.path.startsWith(path))
        const of = (method: string) => exchanges.filter(exchange => exchange.method === method)
        assert.deepEqual(
          of('OPTIONS')
            .map(exchange => exchange.path)
            .sort(),
          [path, `${path}/quote`],
        )
        const reads = of('GET')
        assert(reads.length > 0)
        for (const {status, path, responseBody} of reads) {
          assert.match(path, /\?known=/)
          assert.deepEqual([status, responseBody.length], [204, 0])
        }
        await page.close()
      })
    },
  )
