/**
 * The load rig: N charges, M tabs each, two proxies over one redis-server behind nginx, the sandbox as the service; all
 * on loopback, all real, all ended at the end. `npm run bench:rig`; `CHARGES=10000 TABS=3 RATE=2000 SECONDS=600`.
 */
import {fork, spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {createServer, type AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createServiceClient} from '../src/server/index.js'
import {order} from '../test/server/order.js'
import {startRedis} from '../test/server/redis-server.js'
import {load} from './load-client.js'
import type {Figures} from './rig-process.js'

const CHARGES = Number(process.env['CHARGES'] ?? 1_000)
const TABS = Number(process.env['TABS'] ?? 3)
const RATE = Number(process.env['RATE'] ?? 500)
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 20), 900)
const SLICES = 4
const apiKey = 'TEST;PK;rig'

const folder = await mkdtemp(join(tmpdir(), 'rig-'))
const redis = await startRedis()
const children: ChildProcess[] = []
try {
  const sandbox = await start('sandbox', apiKey)
  const baseUrl = `http://127.0.0.1:${sandbox.port}`
  const proxies = [
    await start('proxy', apiKey, baseUrl, `redis://127.0.0.1:${redis.port}`),
    await start('proxy', apiKey, baseUrl, `redis://127.0.0.1:${redis.port}`),
  ]
  const port = await startNginx(proxies.map(proxy => proxy.port))
  const service = createServiceClient({apiKey, baseUrl})

  const ids = await eachOf(CHARGES, async () => (await service.createCharge(order()))._id)
  await eachOf(CHARGES, async index => {
    const reply = await fetch(`http://127.0.0.1:${port}/crypto-checkout/charges/${ids[index]}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: '{}',
    })
    if (!reply.ok) throw new Error(`opening answered ${reply.status}`)
    await reply.text()
  })
  const {mints} = await ask(sandbox.child)
  console.log(
    `${CHARGES} charges opened, ${mints} minted; ${TABS} tabs each, ${RATE} requests/s for ${SECONDS} s`,
  )

  // The tabs of a charge ask shortly after each other, as they do.
  const paths = ids.flatMap(id => Array.from({length: TABS}, () => `/crypto-checkout/charges/${id}`))
  const rows: Record<string, object> = {}
  for (let slice = 1; slice <= SLICES; slice++) {
    const before = await ask(sandbox.child)
    const duration = (SECONDS * 1000) / SLICES
    const measured = await load({port, paths, connections: 64, duration, rate: RATE})
    const after = await ask(sandbox.child)
    const memory = await Promise.all(proxies.map(({child}) => ask(child)))
    rows[`slice ${slice}`] = {
      'requests/s': Math.round(measured.requestsPerSecond),
      'p50 ms': Number(measured.p50.toFixed(1)),
      'p99 ms': Number(measured.p99.toFixed(1)),
      failed: measured.failed,
      'upstream reads/s': Math.round((after.upstreamReads - before.upstreamReads) / (duration / 1000)),
      'per charge and s': Number(
        ((after.upstreamReads - before.upstreamReads) / (duration / 1000) / CHARGES).toFixed(3),
      ),
      'proxies MB': memory.map(({rssMb}) => rssMb).join(' + '),
    }
  }
  console.table(rows)
} finally {
  for (const child of children) child.kill()
  await redis.stop()
  await rm(folder, {recursive: true, force: true})
}

interface Started {
  readonly child: ChildProcess
  readonly port: number
}

async function start(...args: string[]): Promise<Started> {
  const child = fork('bench/rig-process.ts', args, {execArgv: ['--import', 'tsx', '--expose-gc']})
  children.push(child)
  const [message] = (await once(child, 'message')) as [{port: number}]
  return {child, port: message.port}
}

async function ask(child: ChildProcess): Promise<Figures> {
  child.send('figures')
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}

async function startNginx(ports: readonly number[]): Promise<number> {
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 4096; }
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream proxies { ${ports.map(each => `server 127.0.0.1:${each};`).join(' ')} keepalive 128; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://proxies; proxy_http_version 1.1; proxy_set_header connection "";
      proxy_set_header host $host; proxy_set_header x-forwarded-for $remote_addr;
    }
  }
}`,
  )
  const nginx = spawn('nginx', ['-c', configuration], {stdio: ['ignore', 'ignore', 'inherit']})
  children.push(nginx)
  for (;;) {
    const answers = await fetch(`http://127.0.0.1:${port}/crypto-checkout/health`).then(
      reply => reply.ok,
      () => false,
    )
    if (answers) return port
    if (nginx.exitCode !== null) throw new Error('nginx did not start')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  server.close()
  return port
}

/** Sixteen at a time, so that making ready takes seconds. */
async function eachOf<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await act(index)
  }
  await Promise.all(Array.from({length: 16}, work))
  return results
}
