/**
 * The same purchase on each runtime, with the packed package. The runtimes are installed from `tools.json` on first use.
 * Build first.
 */
import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {test} from 'node:test'
import {pathToFileURL} from 'node:url'
import {promisify} from 'node:util'
import {build, transformSync} from 'esbuild'
import {copyPackage, install, installTools, name, pack, run, temporaryFolder} from '../package/project.js'
import {repeatUntil} from '../server/repeat-until.js'
import {skipUnlessCi} from '../system/programs.js'
import {buy, expected, startService} from './flow.js'
import {snippet, startShop, copyCheckout, type RunningShop} from './shops.js'

const tools = await installTools('test/runtimes/tools.json').catch(() => '')
const tool = (file: string) => join(tools, file)
const project = temporaryFolder()
const {tarball} = await pack(project)
await install(tarball, project)
cpSync('test/runtimes/shop.js', join(project, 'shop.js'))
cpSync('test/runtimes/workers.js', join(project, 'workers.js'))

const node = (version: number) => tool(`node-${version}/bin/node`)
const bun = tool('bun/bin/bun.exe')
const deno = tool('deno/deno')
const denoRun = [deno, 'run', '--quiet', '--allow-all']
const workerd = tool('workerd/bin/workerd')
const miniflare = pathToFileURL(tool('miniflare/dist/src/index.js')).href
const vercelFunctions = tool('@vercel/functions')
copyPackage(project, 'hono')
if (existsSync(vercelFunctions))
  for (const name of ['@vercel/functions', '@vercel/oidc']) copyPackage(project, name, tool(name))

/** Starts a shop whose data is in this folder. */
type Start = (folder: string, env: Readonly<Record<string, string>>) => Promise<RunningShop>

/** The server of `shop.js`. */
const onNodeHttp =
  (command: readonly string[], data: 'files' | 'SQLite'): Start =>
  (folder, env) =>
    startShop([...command, 'shop.js'], project, {
      ...env,
      ...(data === 'files' ? {FOLDER: join(folder, 'store')} : {DATABASE: join(folder, 'shop.sqlite')}),
    })

/** The server of a section of docs/runtimes.md, with the `checkout.js` of examples/html. */
const native =
  (command: readonly string[], section: string): Start =>
  (folder, env) => {
    copyCheckout(folder)
    const code = snippet('docs/runtimes.md', section, 'server.js')
    const port = section === 'Bun' ? 'Number(process.env.PORT)' : 'Number(Deno.env.get("PORT"))'
    writeFileSync(join(folder, 'server.js'), code.replace('3000', port))
    return startShop([...command, 'server.js'], folder, env)
  }

/** A Worker of examples/workers, bundled as wrangler does. */
const inWorkerd =
  (file: string, className = ''): Start =>
  async (folder, env) => {
    const entry = join(folder, 'index.js')
    cpSync(`examples/workers/src/${file}`, entry)
    const script = join(folder, 'bundle.js')
    await build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*'],
      logLevel: 'error',
    })
    const command = [node(24), 'workers.js', script, className, await tables()]
    const shop = await startShop(command, project, {...env, MINIFLARE: miniflare})
    await shop.printed('the tables exist')
    return shop
  }

/** The functions of a section of docs/runtimes.md, called as the platform does. */
const serverless =
  (server: string, section: string, files: readonly string[]): Start =>
  (folder, env) => {
    copyCheckout(folder)
    for (const file of files) {
      const {code} = transformSync(snippet('docs/runtimes.md', section, file), {loader: 'ts'})
      const path = join(folder, file.replace('.ts', '.js'))
      mkdirSync(dirname(path), {recursive: true})
      writeFileSync(path, code)
    }
    return startShop([process.execPath, resolve('test/runtimes', server)], folder, {
      ...env,
      CRON_SECRET: 'secret',
    })
  }

const tables = () =>
  run(process.execPath, [join(project, 'node_modules', name, 'bin/crypto-checkout.js'), 'schema', 'sqlite'])

const vercelFiles = ['api/checkout.ts', 'api/reconcile.ts']
const runtimes: readonly (readonly [name: string, program: string, Start])[] = [
  ['Node 20, node:http, files', node(20), onNodeHttp([node(20)], 'files')],
  ['Node 22, node:http, SQLite', node(22), onNodeHttp([node(22)], 'SQLite')],
  ['Node 24, node:http, SQLite', node(24), onNodeHttp([node(24)], 'SQLite')],
  ['Node 26, node:http, SQLite', node(26), onNodeHttp([node(26)], 'SQLite')],
  ['Bun, node:http, SQLite', bun, onNodeHttp([bun], 'SQLite')],
  ['Bun, Bun.serve, files', bun, native([bun], 'Bun')],
  ['Deno, node:http, SQLite', deno, onNodeHttp(denoRun, 'SQLite')],
  ['Deno, Deno.serve, files', deno, native(denoRun, 'Deno')],
  ['Workers, D1', workerd, inWorkerd('index.js')],
  ['Workers, Durable Object', workerd, inWorkerd('durable-object.js', 'Checkout')],
  ['Lambda, function URL', process.execPath, serverless('lambda.js', 'AWS Lambda', ['index.js'])],
  ['Vercel', vercelFunctions, serverless('vercel.js', 'Vercel', vercelFiles)],
]

for (const [runtime, program, start] of runtimes)
  test(`a customer pays: ${runtime}`, {skip: without(program)}, async t => {
    const service = await startService()
    t.after(() => service.close())
    const shop = await start(mkdtempSync(join(project, 'shop-')), service.env)
    t.after(() => shop.stop())
    const lines = await buy(shop, service)
    for (const line of lines) t.diagnostic(`${runtime}: ${line}`)
    assert.deepEqual(lines, expected)
  })

test('Workers: scheduled() finds a payment whose webhook never came', {skip: without(workerd)}, async t => {
  for (const [file, className] of [
    ['index.js', ''],
    ['durable-object.js', 'Checkout'],
  ] as const) {
    const service = await startService()
    t.after(() => service.close())
    const shop = await inWorkerd(file, className)(mkdtempSync(join(project, 'shop-')), service.env)
    t.after(() => shop.stop())
    await service.openAndPay(shop)
    assert.equal((await fetch(`${shop.url}/cdn-cgi/handler/scheduled`)).status, 200)
    await shop.printed('order-7 is paid: ship it')
  }
})

test('Workers: a customer who leaves does not hold up another', {skip: without(workerd)}, async t => {
  const service = await startService()
  t.after(() => service.close())
  const shop = await inWorkerd('index.js')(mkdtempSync(join(project, 'shop-')), service.env)
  t.after(() => shop.stop())
  const url = `${shop.url}/crypto-checkout/charges/${await service.createCharge()}`
  const open = (signal: AbortSignal) =>
    fetch(url, {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}', signal})
  service.sandbox.fault('createCryptoCharge', {kind: 'delay', ms: 2_000, times: 1})
  const leaving = new AbortController()
  const left = open(leaving.signal)
  await repeatUntil(() => service.sandbox.calls.createCryptoCharge === 1, 'the request to the service')
  leaving.abort()
  await assert.rejects(left, {name: 'AbortError'})
  const response = await open(AbortSignal.timeout(30_000))
  assert.equal(response.status, 200)
  // By waitUntil, the first request went on.
  assert.equal(service.sandbox.calls.createCryptoCharge, 1)
})

test(
  'D1 and the SQLite of Durable Objects fulfil the requirements of every store',
  {skip: without(workerd)},
  () => passes(node(24), ['--import', 'tsx', '--test-reporter=tap', 'test/runtimes/worker-store.ts'], 16),
)

test('bun:sqlite fulfils the requirements of every store', {skip: without(bun)}, () =>
  passes(bun, ['test', './test/runtimes/sqlite-store.ts'], 8),
)

/** Runs tests on another runtime. A pattern without a match would pass, so their number is compared. */
async function passes(program: string, args: readonly string[], count: number): Promise<void> {
  // With this variable they would report to this process, not by their exit code.
  const {NODE_TEST_CONTEXT: _, ...env} = process.env
  const {stdout, stderr} = await promisify(execFile)(program, args, {env: {...env, MINIFLARE: miniflare}})
  assert.match(stdout + stderr, new RegExp(`^(# pass ${count}| *${count} pass)$`, 'm'))
}

function without(program: string): string | false {
  if (existsSync(program)) return false
  return skipUnlessCi('npm could not install this runtime, from test/runtimes/tools.json')
}
