/** A checkout whose proxy is on another origin, which browsers ask for permission before some requests. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {after, it} from 'node:test'
import {chooseUsdtOnBsc, selectedEngines, until, type Engine} from '../engines/engine.js'
import {closeServer, listen} from '../http/loopback.js'
import {describeIn} from './describe-in.js'
import {startPageShop} from './page-shop.js'

const pages = createServer((req, res) => {
  const {searchParams} = new URL(req.url ?? '/', 'http://127.0.0.1')
  const [charge, endpoint] = [searchParams.get('charge'), searchParams.get('endpoint')]
  res.setHeader('content-type', 'text/html')
  res.end(`<!doctype html><script type="module" src="${endpoint}/crypto-checkout.js"></script>
    <crypto-checkout charge-id="${charge}" endpoint="${endpoint}"></crypto-checkout>`)
})
const origin = `http://127.0.0.1:${await listen(pages)}`
const shop = await startPageShop({allowedOrigins: [origin]})
const requests: {readonly method: string; readonly path: string; readonly status: number}[] = []
const api = createServer((req, res) => {
  const {method = '', url: path = ''} = req
  res.on('finish', () => requests.push({method, path, status: res.statusCode}))
  void shop.checkout.node(req, res)
})
const endpoint = `http://127.0.0.1:${await listen(api)}/crypto-checkout`
let engine: Engine

after(async () => {
  await closeServer(api)
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
        await page.goto(`${origin}/?charge=${chargeId}&endpoint=${encodeURIComponent(endpoint)}`)
        await chooseUsdtOnBsc(page)
        const time = await page.evaluate(
          () => document.querySelector('crypto-checkout')!.checkout!.serverTime,
        )
        const hasRead = (before: string) => {
          const {checkout} = document.querySelector('crypto-checkout')!
          return checkout!.serverTime !== before && checkout!.quote !== null
        }
        await until(page, 'reading', hasRead, time)
        const of = (method: string) =>
          requests.filter(request => request.method === method && request.path.startsWith(path))
        const asked = of('OPTIONS').map(request => request.path)
        assert.deepEqual(asked.sort(), [path, `${path}/quote`])
        const reads = of('GET')
        assert(reads.length > 0)
        for (const read of reads) {
          assert.match(read.path, /\?known=/)
          assert.equal(read.status, 204)
        }
        await page.close()
      })
    },
  )
