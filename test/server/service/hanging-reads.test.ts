/** A service whose reads hang, over real sockets: no other customer waits for them. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createCheckout, memoryStore} from '../../../src/node/index.js'
import {serve, waitUntil} from '../../http/loopback.js'
import {requester, ScriptedService, usdt} from '../scripted-service.js'

/** More than the connections of the reads. */
const HANGING = 260
const CONNECTIONS = 256

test('reads that hang on every connection delay no other customer’s open or quote', async t => {
  const service = new ScriptedService()
  service.expiresAt = undefined
  let isHanging = false
  let hanging = 0
  const port = await serve(t, (request, response) => {
    const {method = '', url = ''} = request
    if (isHanging && method === 'GET' && url.includes('slow')) hanging += 1
    else {
      const {signal} = new AbortController()
      const call = {method: method === 'GET' ? 'GET' : 'POST', url, headers: {}, signal, maxBytes: 0} as const
      void service.transport(call).then(({body}) => response.end(body))
    }
  })
  const checkout = createCheckout({
    apiKey: 'TEST;PK;hanging',
    baseUrl: `http://127.0.0.1:${port}`,
    store: memoryStore(),
    logger: {info() {}, warn() {}, error() {}},
    closeTimeout: 100,
  })
  t.after(() => checkout.close())
  const request = requester(checkout.fetch)
  const ids = Array.from({length: HANGING}, (_, index) => `slow${index}`)
  const open = async (id: string) => (await request('POST', `/charges/${id}`)).json
  for (const {status} of await Promise.all([...ids, 'good'].map(open))) assert.equal(status, 'open')

  isHanging = true
  const ended: string[] = []
  for (const id of ids) void checkout.verify(id).catch(() => ended.push(id))
  await waitUntil(() => hanging === CONNECTIONS, 'a read on every connection')
  assert.equal((await open('other')).status, 'open')
  assert.equal((await open('good')).stale, false)
  for (const id of ['other', 'good'])
    assert.equal((await request('POST', `/charges/${id}/quote`, usdt)).json.quote.asset, usdt.asset)
  assert.deepEqual(ended, [])
})
