/** The commands that list charges and print journals, over the stores that several processes share. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, describe, test} from 'node:test'
import {createClient} from 'redis'
import {createSandbox} from '../../../src/sandbox/index.js'
import {chargesCommand, readSince} from '../../../src/server/cli/charges.js'
import {journalCommand} from '../../../src/server/cli/journal.js'
import {createCheckout, fileStore, redisStore, type Store} from '../../../src/server/index.js'
import {skipWithout} from '../../system/programs.js'
import {startRedis} from '../../system/redis-server.js'
import {order} from '../order.js'
import {requester} from '../scripted-service.js'

interface Shop {
  readonly url: string
  readonly store: Store
  stop(): Promise<unknown>
}

const shops: Readonly<Record<string, () => Promise<Shop>>> = {
  async 'a folder'() {
    const url = await mkdtemp(join(tmpdir(), 'charges-'))
    return {url, store: fileStore(url), stop: () => rm(url, {recursive: true})}
  },
  async Redis() {
    const redis = await startRedis()
    const url = `redis://127.0.0.1:${redis.port}`
    const client = createClient({url})
    await client.connect()
    return {
      url,
      store: redisStore(client),
      async stop() {
        await client.close()
        await redis.stop()
      },
    }
  },
}

for (const [name, start] of Object.entries(shops))
  describe(`in ${name}`, {skip: name === 'Redis' && skipWithout('redis-server')}, () => {
    let shop: Shop | undefined
    after(() => shop?.stop())

    test('charges lists open, paid and closed charges, and whether the shop was notified', async () => {
      shop = await start()
      const {store, url} = shop
      const sandbox = createSandbox()
      const options = {
        apiKey: sandbox.apiKey,
        baseUrl: 'http://127.0.0.1:4010',
        transport: sandbox.transport,
        store,
      }
      let fails = false
      const checkout = createCheckout({
        ...options,
        logger: {info() {}, warn() {}, error() {}},
        onPaid: () => {
          if (fails) throw new Error('the shop is down')
        },
      })
      const request = requester(checkout.fetch)
      const place = async (pays: boolean) => {
        const {_id} = await checkout.service.createCharge(order())
        await request('POST', `/charges/${_id}`)
        const {json} = await request('POST', `/charges/${_id}/quote`, {asset: '825', network: 'bsc'})
        if (!pays) return _id
        sandbox.pay(_id, {asset: '825', network: 'bsc', amount: json.quote.amount})
        await request('POST', '/webhook', {chargeId: _id})
        return _id
      }
      const closed = await place(true)
      await checkout.reconcile()
      assert.ok(!(await openIds(store)).includes(closed))
      const open = await place(false)
      fails = true
      const failed = await place(true)
      await checkout.close()

      const rows = (await run(chargesCommand, '--store', url, '--json')).map(line => JSON.parse(line))
      const brief = rows.map(({chargeId, status, notified, asset, price}) => [
        chargeId,
        status,
        notified,
        asset,
        price,
      ])
      assert.deepEqual(brief, [
        [failed, 'paid', 'failed', 'USDT', '49.90'],
        [open, 'open', undefined, 'USDT', '49.90'],
        [closed, 'paid', 'yes', 'USDT', '49.90'],
      ])
      const [head = '', ...table] = await run(
        chargesCommand,
        '--store',
        url,
        '--status',
        'paid',
        '--limit',
        '1',
      )
      assert.match(head, /^opened +charge +status +price +asset +payments +notified +alert +description$/)
      assert.equal(table.length, 1)
      assert.ok(table[0]?.includes(`${failed}  paid`), table[0])
      assert.deepEqual(await run(chargesCommand, '--store', url, '--since', '2999-01-01'), ['no charges'])
      assert.equal((await run(chargesCommand, '--store', url, '--since', '1h')).length, 4)

      const journal = await run(journalCommand, closed, '--store', url)
      assert.match(journal.at(-1) ?? '', /paid: done/)
      const entries = (await run(journalCommand, closed, '--store', url, '--json')).map(line =>
        JSON.parse(line),
      )
      const {cryptoChargeId} = entries.find(({kind}) => kind === 'minted')
      assert.deepEqual(await run(journalCommand, cryptoChargeId, '--store', url), journal)
    })
  })

test('text of the service cannot control the terminal, and the query of a page is not printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'charges-'))
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    store: fileStore(folder),
  })
  const input = order()
  const {_id} = await checkout.service.createCharge({
    ...input,
    call_back_url: 'https://shop.example/thanks?session=s3cr3t',
    billing: {...input.billing, description: 'Order \u001b[2J7'},
  })
  await requester(checkout.fetch)('POST', `/charges/${_id}`)
  await checkout.close()
  assert.match((await run(chargesCommand, '--store', folder)).at(-1) ?? '', /Order \?\[2J7$/)
  const json = (await run(journalCommand, _id, '--store', folder, '--json')).join('\n')
  assert.ok(json.includes('https://shop.example/thanks"'))
  assert.doesNotMatch(json, /s3cr3t/)
  await rm(folder, {recursive: true})
})

test('charges prints one line about a wrong argument', async () => {
  for (const [args, line] of [
    [['--status', 'lost'], /--status must be one of open, pending/],
    [['--since', 'yesterday'], /--since must be a date/],
    [['--limit', '0'], /--limit must be a number/],
    [['--stor', 'x'], /--stor/],
    [['c1'], /unknown argument: c1/],
    [['--store', '/nowhere/at/all'], /no store folder \/nowhere\/at\/all/],
    [
      ['--store', 'redis://shop:hunter2@127.0.0.1:1'],
      /^the store redis:\/\/127\.0\.0\.1:1 cannot be opened \(ECONNREFUSED\)$/,
    ],
    [['--store', 'oracle://db'], /^no store for oracle:/],
  ] as const) {
    const lines = await run(chargesCommand, ...args)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', line)
    assert.equal(process.exitCode, 1)
    process.exitCode = 0
  }
})

test('--since is a date or a duration', () => {
  const now = Date.UTC(2026, 10, 21)
  assert.equal(readSince('2026-11-20', now), Date.UTC(2026, 10, 20))
  assert.equal(readSince('90m', now), now - 5_400_000)
  assert.equal(readSince('2d', now), now - 172_800_000)
})

async function run(
  command: (args: readonly string[], print: (line: string) => void) => Promise<void>,
  ...args: readonly string[]
): Promise<string[]> {
  const lines: string[] = []
  await command(args, line => lines.push(line))
  return lines
}

async function openIds(store: Store): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.openCharges()) ids.push(id)
  return ids
}
