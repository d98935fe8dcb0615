/** Redis without memory, and Redis gone, under a proxy that has shown an address already. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {Redis as IoRedis} from 'ioredis'
import {redisStore} from '../../../src/server/stores/redis-store.js'
import {skipWithout} from '../../system/programs.js'
import {startRedis, type RedisServer} from '../../system/redis-server.js'
import {scripted} from '../scripted-service.js'

describe('Redis out of service', {skip: skipWithout('redis-server')}, () => {
  let redis: RedisServer
  const clients: IoRedis[] = []
  before(async () => {
    redis = await startRedis()
  })
  after(async () => {
    for (const client of clients) client.disconnect()
    await redis.stop()
  })

  function connect(): IoRedis {
    const client = new IoRedis(redis.port, '127.0.0.1', {maxRetriesPerRequest: 0, retryStrategy: () => 20})
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }

  async function shown(prefix: string) {
    const client = connect()
    const made = scripted({store: redisStore(client, {prefix})})
    await made.request('POST', '/charges/c1')
    const {json} = await made.request('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
    assert.ok(json.quote)
    return {...made, client, quote: json.quote}
  }

  test('Redis out of memory refuses what must be written, loses nothing, and goes on when there is memory', async () => {
    const {request, clock, service, client, checkout, quote} = await shown('full')
    await client.call('CONFIG', 'SET', 'maxmemory', '1')
    for (let time = 1; time <= 3; time++) {
      await clock.advance(1_500)
      const {status, json} = await request('POST', '/charges/c2')
      assert.equal(status, 503)
      assert.equal(json.code, 'store_unavailable')
    }
    assert.equal(service.minted, 1, 'nothing is minted that cannot be written down')
    await client.call('CONFIG', 'SET', 'maxmemory', '0')
    assert.deepEqual((await request('POST', '/charges/c1')).json.quote, quote)
    assert.equal((await request('POST', '/charges/c2')).status, 200)
    await checkout.close()
  })

  test('Redis that was killed and came back has lost nothing, and the proxy finds it again by itself', async () => {
    const {request, client, checkout, quote} = await shown('killed')
    await redis.restart()
    while (client.status !== 'ready') await new Promise(resolve => client.once('ready', resolve))
    const {status, json} = await request('POST', '/charges/c1')
    assert.deepEqual([status, json.quote], [200, quote])
    await checkout.close()
  })
})
