/**
 * Each wrong setup logs what the table in the troubleshooting page says. `test/element/pages.test.ts` tests its last rows.
 * In a folder of its own, whose tests have a process of their own: it gives up the rights of root for a while.
 */
import assert from 'node:assert/strict'
import {chmodSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import Libsql from 'libsql'
import type {LogFields} from '../../../src/server/base/logger.js'
import {createSandbox} from '../../../src/sandbox/index.js'
import {
  createCheckout,
  createServiceClient,
  fileStore,
  memoryStore,
  sqlStore,
  type CheckoutOptions,
} from '../../../src/node/index.js'
import {portOf} from '../../http/loopback.js'
import {order} from '../../server/order.js'
import {repeatUntil} from '../../server/repeat-until.js'
import {requester} from '../../server/scripted-service.js'
import {asUnprivileged} from '../../system/unprivileged.js'

interface Shop {
  open(headers?: Record<string, string>): Promise<unknown>
  /** The customer pays by another way than the page. */
  pay(): Promise<unknown>
}
type Setup = readonly [options: Partial<CheckoutOptions>, act?: (shop: Shop) => Promise<unknown>]

const page = readFileSync('docs/troubleshooting.md', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'setups-'))
chmodSync(folder, 0o555)
const sandbox = createSandbox()
const service = await sandbox.listen()
const html = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
await once(html, 'listening')

const open = ({open}: Shop) => open()
const setups: Readonly<Record<string, Setup>> = {
  'wrong `apiKey`': [{apiKey: 'TEST;PK;other'}, open],
  '`baseUrl` with a path': [{baseUrl: `${service.url}/api/v1`}, open],
  'HTML in place of the service': [{baseUrl: `http://127.0.0.1:${portOf(html)}`}, open],
  'page on another origin': [{}, ({open}) => open({origin: 'https://other.example'})],
  'page without `token`': [{tokenSecret: 'a secret of at least 32 characters'}, open],
  'handler that throws': [
    {onPaid: () => Promise.reject(new Error('no such column: shipped_at'))},
    ({pay}) => pay(),
  ],
  'missing table': [{store: sqlStore(new Libsql(':memory:'))}],
  'unwritable folder': [{store: fileStore(folder)}],
}

for (const [name, [options, act]] of Object.entries(setups))
  test(`the log of a wrong setup is documented: ${name}`, async () => {
    const row = page.split('\n').find(line => line.startsWith(`| ${name} `))
    await asUnprivileged(async () => {
      assert.equal(await lineOf(options, act), / \| `([^|]*)` +\|$/.exec(row ?? '')?.[1])
    })
  })

test('the servers stop', async () => {
  html.close()
  await service.close()
  rmSync(folder, {recursive: true})
})

/** The only line, without what differs each time. The start and the worker may both log it. */
async function lineOf(options: Setup[0], act: Setup[1]): Promise<string> {
  const lines: string[] = []
  const log = (message: string, fields: LogFields = {}) => {
    const {requestId: _, stack: _stack, chargeId: _chargeId, ...others} = fields
    lines.push(`${message} ${JSON.stringify(others)}`.replace(folder, '/var/lib/shop'))
  }
  const settings = {apiKey: sandbox.apiKey, baseUrl: service.url}
  const checkout = createCheckout({
    ...settings,
    store: memoryStore(),
    reconcileEvery: 0,
    rateLimit: false,
    logger: {info() {}, warn: log, error: log},
    ...options,
  })
  const request = requester(checkout.fetch)
  const {_id: chargeId} = await createServiceClient(settings).createCharge(order())
  await act?.({
    open: headers => request('POST', `/charges/${chargeId}`, {}, headers),
    async pay() {
      await request('POST', `/charges/${chargeId}`)
      const {json} = await request('POST', `/charges/${chargeId}/quote`, {asset: '825', network: 'bsc'})
      const {amount, address} = json.quote
      sandbox.pay(chargeId, {asset: 'USDT', network: 'bsc', amount, address})
      await checkout.verify(chargeId)
    },
  })
  await repeatUntil(() => lines.length > 0, 'the line')
  await checkout.close()
  const different = [...new Set(lines)]
  assert.equal(different.length, 1, lines.join('\n'))
  return different.join()
}
