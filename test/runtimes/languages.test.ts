/**
 * The shops of examples/ in other languages: from a button of the shop to an order that the shop knows as paid. Build first, for
 * the files of the hosted page.
 */
import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {after, describe, test} from 'node:test'
import {freePort} from '../system/free-port.js'
import {requireProgram, skipWithout, type ProgramName} from '../system/programs.js'
import {eventually, pay, start, startServe, WEBHOOK_SECRET} from '../e2e/serve/started.js'

interface Shop {
  readonly program: ProgramName
  /** @param port for a shop that does not read PORT */
  readonly command: (file: string, port: number) => readonly [string, ...string[]]
  readonly file: string
}

const shops: readonly Shop[] = [
  {
    program: 'php',
    file: 'examples/php/shop.php',
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  {program: 'python3', file: 'examples/python/shop.py', command: file => ['python3', file]},
  {program: 'ruby', file: 'examples/ruby/shop.rb', command: file => ['ruby', file]},
  // Not with `go run`, whose program outlives it when it is killed.
  {
    program: 'go',
    file: 'examples/go/shop.go',
    command: file => ['sh', '-c', `go build -o "$SHOP_DATA/shop" "${file}" && exec "$SHOP_DATA/shop"`],
  },
]

/** By this test alone: neither the library that signs nor the code of a shop. */
function sign(body: string, {id = 'msg_1', at = Date.now(), secret = WEBHOOK_SECRET} = {}) {
  const time = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return {'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,AAAA v1,${signature}`}
}

for (const {program, file, command} of shops)
  describe(`the shop in ${program}`, {skip: skipWithout(program)}, () => {
    const stops: (() => Promise<unknown>)[] = []
    after(async () => {
      for (const stop of stops.reverse()) await stop()
    })

    test('an order is placed, paid and received once; requests that are not genuine are refused', async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const data = await mkdtemp(join(tmpdir(), 'shop-'))
      stops.push(() => rm(data, {recursive: true}))
      const serve = await startServe({CHECKOUT_WEBHOOK_URL: `${url}/events`}, '--sandbox')
      stops.push(() => serve.end('SIGKILL'))
      const environment = {
        ...{PORT: String(port), CHECKOUT_URL: serve.url, SHOP_URL: url, SHOP_DATA: data},
        ...{HOME: data, GOFLAGS: '-mod=mod', PATH: process.env['PATH'] ?? ''},
      }
      requireProgram(program)
      const [name, ...args] = command(resolve(file), port)
      const shop = await start(name, args, environment, /^/)
      stops.push(() => shop.end('SIGKILL'))
      const home = () => fetch(url).then(response => response.text())
      await eventually(
        () => home().then(Boolean, () => false),
        `${program} does not listen: ${shop.output()}`,
      )

      const bought = await fetch(`${url}/buy`, {method: 'POST', redirect: 'manual'})
      assert.equal(bought.status, 303, shop.output())
      const [, chargeId = ''] = /\/pay\/(\w+)$/.exec(bought.headers.get('location') ?? '') ?? []
      await pay(serve.call, serve.sandboxUrl, chargeId)
      await eventually(async () => /Paid: [0-9a-f]{16}</.test(await home()), 'the shop was not told')

      const body = '{"type":"order.paid","timestamp":"","data":{"orderId":"forged","chargeId":"c"}}'
      const post = (headers: Record<string, string>, sent = body) =>
        fetch(`${url}/events`, {method: 'POST', body: sent, headers}).then(({status}) => status)
      const otherSecret = `whsec_${Buffer.from('another-secret-of-a-webhook').toString('base64')}`
      assert.equal(await post(sign(body), body.replace('forged', 'changed')), 401)
      assert.equal(await post({...sign(body), 'webhook-id': 'msg_2'}), 401)
      assert.equal(await post(sign(body, {at: Date.now() - 6 * 60_000})), 401)
      assert.equal(await post(sign(body, {at: Date.now() + 6 * 60_000})), 401)
      assert.equal(await post(sign(body, {secret: otherSecret})), 401)
      assert.equal(await post(sign(body, {id: '../msg'})), 401)
      assert.equal(await post({}), 401)
      assert.doesNotMatch(await home(), /forged|changed/)
      const genuine = body.replace('forged', 'order-2')
      for (let attempt = 0; attempt < 2; attempt++) assert.equal(await post(sign(genuine), genuine), 204)
      assert.equal((await home()).match(/order-2/g)?.length, 1)
    })
  })
