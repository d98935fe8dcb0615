/** Four processes race for the same charges: exactly one crypto charge each, and one address for everybody. */
import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {createServiceClient} from '../../src/server/index.js'
import {bundled} from '../processes/bundle.js'
import {order} from './order.js'
import {skipWithout} from '../system/programs.js'
import {startRedis} from '../system/redis-server.js'

const PROCESSES = 4
/** `RACE_CHARGES=2000` for the long run. */
const CHARGES = Number(process.env['RACE_CHARGES'] ?? 25)

async function race(where: string): Promise<void> {
  const sandbox = createSandbox()
  const listening = await sandbox.listen()
  const service = createServiceClient({
    apiKey: sandbox.apiKey,
    baseUrl: listening.url,
    transport: sandbox.transport,
  })
  const ids: string[] = []
  for (let made = 0; made < CHARGES; made++) ids.push((await service.createCharge(order()))._id)
  const script = bundled('racing-checkout.ts')
  const racers = Array.from({length: PROCESSES}, async () => {
    const racer = spawn(process.execPath, [script, where, listening.url, sandbox.apiKey, ids.join(',')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    racer.stdout.on('data', chunk => (printed += String(chunk)))
    await once(racer, 'close')
    return new Map(
      printed
        .trim()
        .split('\n')
        .map(line => line.split(' ') as [string, string]),
    )
  })
  const results = await Promise.all(racers)
  await listening.close()
  await rm(join(script, '..'), {recursive: true})
  assert.equal(sandbox.calls.createCryptoCharge, CHARGES)
  assert.equal(sandbox.calls.convert, CHARGES)
  for (const id of ids) {
    const addresses = new Set(results.map(result => result.get(id)))
    assert.equal(addresses.size, 1, id)
    assert.match([...addresses][0] ?? '', /^0x[0-9a-fA-F]{40}$/)
  }
}

test(`invariant 3: ${PROCESSES} processes over files mint once for each of ${CHARGES} charges`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'race-'))
  await race(folder)
  await rm(folder, {recursive: true})
})

const skip = skipWithout('redis-server')

test(
  `invariant 3: ${PROCESSES} processes over Redis mint once for each of ${CHARGES} charges`,
  {skip},
  async () => {
    const redis = await startRedis()
    await race(`redis://127.0.0.1:${redis.port}`)
    await redis.stop()
  },
)
