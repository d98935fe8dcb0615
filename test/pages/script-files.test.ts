/** The proxy serves the script-tag build: from a folder, and from the texts that a bundled server imports. */
import assert from 'node:assert/strict'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test, type TestContext} from 'node:test'
import {fileURLToPath} from 'node:url'
import {brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync} from 'node:zlib'
import {build} from 'esbuild'
import {toNode} from '../../src/http/node.js'
import {createCheckout, memoryStore, type CheckoutOptions} from '../../src/node/index.js'
import {createCheckout as createWorker} from '../../src/workers/index.js'
import {noLimits} from '../../src/server/api/rate-limit.js'
import {scriptFilesOf} from '../../src/pages/script-files.js'
import {compress, readScriptFolder} from '../../src/node/script-folder.js'
import {requestOf, serve} from '../http/loopback.js'
import {scripted} from '../server/scripted-service.js'

const texts = {'crypto-checkout.js': 'entry('.repeat(500), 'payment-panel-aBcD12_-.js': 'chunk('.repeat(500)}
const [entry, chunk] = ['/crypto-checkout.js', '/payment-panel-aBcD12_-.js']

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cdn-'))
  t.after(() => rmSync(path, {recursive: true}))
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(path, name), text)
    writeFileSync(join(path, `${name}.br`), brotliCompressSync(text))
    writeFileSync(join(path, `${name}.gz`), gzipSync(text))
  }
  writeFileSync(join(path, 'secret.js'), 'not in the list')
  writeFileSync(
    join(path, 'integrity.json'),
    JSON.stringify({[entry.slice(1)]: 'sha384-e', [chunk.slice(1)]: 'sha384-c'}),
  )
  return path
}

const sources = {
  'a folder': (t: TestContext) => readScriptFolder(folder(t)),
  'imported texts': () => scriptFilesOf(texts, compress),
}

for (const [source, scriptsOf] of Object.entries(sources)) {
  test(`from ${source}: every encoding has the same content, and a matching ETag gets 304`, async t => {
    const {checkout, request} = scripted({scripts: scriptsOf(t)})
    const raw = (accepted: string) =>
      checkout.handler(requestOf('GET', entry, {headers: {'accept-encoding': accepted}}))
    const decoders = {br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Uint8Array) => bytes}
    for (const [accepted, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['GZIP;q=0.5, br; q=0.000', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['', 'identity'],
      ['deflate, zstd', 'identity'],
    ] as const) {
      const reply = await raw(accepted)
      assert(reply && (typeof reply.body === 'string' || reply.body instanceof Uint8Array))
      assert.equal(reply.headers['content-encoding'] ?? 'identity', expected, accepted)
      const bytes = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
      assert.equal(decoders[expected](bytes).toString(), texts['crypto-checkout.js'])
      assert.equal(reply.headers['vary'], 'Accept-Encoding')
    }

    const {headers, status, text} = await get(request, entry)
    assert.equal(status, 200)
    assert.equal(text, texts['crypto-checkout.js'])
    const etag = headers.get('etag') ?? ''
    for (const condition of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const unchanged = await get(request, entry, {'if-none-match': condition})
      assert.equal(unchanged.status, 304, condition)
      assert.equal(unchanged.text, '')
      assert.equal(unchanged.headers.get('etag'), etag)
      assert.equal(unchanged.headers.get('cache-control'), 'public, no-cache')
    }
    assert.equal((await get(request, entry, {'if-none-match': '"other"'})).status, 200)
  })

  test(`from ${source}: only the listed names are served`, async t => {
    const {checkout} = scripted({scripts: scriptsOf(t)})
    const paths = String.raw`/secret.js /integrity.json /crypto-checkout.js.br /crypto-checkout.js// / //crypto-checkout.js
      /../crypto-checkout.js /%2e%2e/secret.js /..%2fsecret.js /crypto-checkout%2Ejs /__proto__ /constructor
      /crypto-checkout.js%00 /./crypto-checkout.js /..\secret.js /CRYPTO-CHECKOUT.js`
    for (const path of paths.split(/\s+/))
      assert.equal((await checkout.handler(requestOf('GET', path)))?.status, 404, path)
  })
}

test('the entry is revalidated, the chunks are immutable, and pages of other origins may load them', async t => {
  const {request} = scripted({scripts: sources['a folder'](t), allowedOrigins: ['https://listed.example']})
  for (const [path, cacheControl] of [
    [entry, 'public, no-cache'],
    [`${entry}?ver=2`, 'public, no-cache'],
    [chunk, 'public, max-age=31536000, immutable'],
  ] as const) {
    const fromElsewhere = {origin: 'https://listed.example', 'sec-fetch-site': 'cross-site'}
    const {status, headers} = await get(request, path, fromElsewhere)
    assert.equal(status, 200, path)
    assert.equal(headers.get('cache-control'), cacheControl)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(headers.get('vary'), 'Accept-Encoding')
  }
})

test('HEAD has the headers of GET, other methods are refused, and no limit or token applies', async () => {
  const limits = {...noLimits, consume: () => 60, tokenPause: () => 60}
  const {request, service} = scripted({
    scripts: scriptFilesOf(texts),
    limits,
    tokenSecret: 'a secret of at least 32 characters',
  })
  const head = await request('HEAD', entry)
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(head.headers.get('etag'), (await get(request, entry)).headers.get('etag'))
  const {status, headers} = await request('POST', entry)
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, HEAD')
  assert.deepEqual(service.calls, {})
})

test('node:http sends the compressed bytes with their length, and no body to HEAD', async t => {
  const {checkout} = scripted({scripts: readScriptFolder(folder(t))})
  const node = toNode(checkout.handler, {basePath: '/crypto-checkout'})
  const port = await serve(t, (req, res) => void node(req, res))
  const length = String(brotliCompressSync(texts['crypto-checkout.js']).length)
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`http://127.0.0.1:${port}/crypto-checkout${entry}`, {
      method,
      headers: {'accept-encoding': 'br'},
    })
    assert.equal(response.headers.get('content-encoding'), 'br')
    assert.equal(response.headers.get('content-length'), length)
    assert.equal(await response.text(), method === 'GET' ? texts['crypto-checkout.js'] : '')
  }
})

test('files must be the import of crypto-checkout/files, and the hosted page needs it', () => {
  const options = {
    apiKey: 'TEST;PK;1',
    baseUrl: 'https://service.example',
    store: memoryStore(),
    reconcileEvery: 0,
  }
  const create = (more: Partial<CheckoutOptions>) => () => createCheckout({...options, ...more})
  assert.throws(
    create({files: {}}),
    /^ConfigurationError: files must be the export files of 'crypto-checkout\/files'$/,
  )
  assert.throws(
    () => scripted({hostedPage: {name: 'Shop'}}),
    /import {files} from 'crypto-checkout\/files' and pass files/,
  )
})

test('on Workers, the imported files are served as text, which the platform compresses', async () => {
  const checkout = createWorker({
    apiKey: 'TEST;PK;1',
    baseUrl: 'https://service.example',
    store: memoryStore(),
    hostedPage: {name: 'Shop', origin: 'https://shop.example'},
    files: texts,
  })
  const load = (url: string) =>
    checkout.fetch(new Request(url, {headers: {'accept-encoding': 'br'}}), {waitUntil() {}})
  const script = await load(`https://shop.example/crypto-checkout${entry}`)
  assert.equal(script.headers.get('content-encoding'), null)
  assert.equal(await script.text(), texts['crypto-checkout.js'])
  assert.match(await (await load(checkout.payUrl('c1'))).text(), /<crypto-checkout charge-id="c1"/)
})

test('a server that is bundled into one file serves the files that it imports', async t => {
  const path = mkdtempSync(join(tmpdir(), 'bundle-'))
  t.after(() => rmSync(path, {recursive: true}))
  writeFileSync(join(path, 'files.js'), `export const files = ${JSON.stringify(texts)}`)
  const outfile = join(path, 'server.cjs')
  await build({
    stdin: {
      contents: `
        import {createCheckout, memoryStore} from ${JSON.stringify(fileURLToPath(new URL('../../src/node/index.ts', import.meta.url)))}
        import {files} from './files.js'
        const options = {apiKey: 'TEST;PK;1', baseUrl: 'https://service.example', store: memoryStore(), reconcileEvery: 0}
        const get = checkout => checkout.fetch(new Request('https://shop.example/crypto-checkout/crypto-checkout.js'))
        export const withFiles = get(createCheckout({...options, files})), without = get(createCheckout(options))`,
      resolveDir: path,
    },
    outfile,
    bundle: true,
    platform: 'node',
    // There is no `import.meta` in CommonJS.
    logOverride: {'empty-import-meta': 'silent'},
    logLevel: 'error',
  })
  const {withFiles, without}: Record<string, Promise<Response>> = await import(outfile)
  assert.equal(await (await withFiles)?.text(), texts['crypto-checkout.js'])
  assert.equal((await without)?.status, 404)
})

function get(
  request: ReturnType<typeof scripted>['request'],
  path: string,
  headers: Record<string, string> = {},
) {
  return request('GET', path, undefined, headers)
}
