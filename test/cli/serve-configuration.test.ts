/** What `serve` says about a wrong configuration. */
import assert from 'node:assert/strict'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {publishedSecrets, readConfiguration} from '../../src/cli/serve/configuration.js'
import {serveCommand} from '../../src/cli/serve/serve.js'

const SECRET = 'a'.repeat(32)
const webhook = {
  CHECKOUT_WEBHOOK_URL: 'https://shop.example/events',
  CHECKOUT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 'x').toString('base64')}`,
}
const complete = {
  CHECKOUT_API_KEY: 'TEST;PK;1',
  CHECKOUT_BASE_URL: 'https://service.example',
  CHECKOUT_SECRET: SECRET,
  CHECKOUT_PUBLIC_URL: 'https://pay.shop.example',
  CHECKOUT_STORE: 'memory:',
  PORT: '0',
}

/** What it prints on stderr. */
async function failure(environment: Record<string, string | undefined>, ...args: string[]): Promise<string> {
  const errors: string[] = []
  const running = await serveCommand(
    args,
    () => undefined,
    line => errors.push(line),
    environment,
  )
  await running?.close()
  const {exitCode} = process
  process.exitCode = undefined
  assert.equal(running, undefined)
  assert.equal(exitCode, 2)
  assert.equal(errors.length, 1)
  assert.doesNotMatch(errors[0] ?? '', /\n/)
  return errors[0] ?? ''
}

test('a missing or wrong variable is one line on stderr, and exit code 2', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const {port} = taken.address() as AddressInfo
  const secret = webhook.CHECKOUT_WEBHOOK_SECRET
  const cases: [Record<string, string | undefined>, RegExp][] = [
    [{CHECKOUT_API_KEY: undefined}, /^CHECKOUT_API_KEY must be/],
    [{CHECKOUT_API_KEY: 'two words'}, /^CHECKOUT_API_KEY must be/],
    [{CHECKOUT_BASE_URL: 'http://service.example'}, /^CHECKOUT_BASE_URL must be https/],
    [{CHECKOUT_SECRET: undefined}, /^CHECKOUT_SECRET must be at least 32/],
    [{CHECKOUT_SECRET: 'short'}, /^CHECKOUT_SECRET must be at least 32/],
    [{CHECKOUT_PUBLIC_URL: undefined}, /^CHECKOUT_PUBLIC_URL must be/],
    [{CHECKOUT_PUBLIC_URL: 'http://pay.shop.example'}, /^CHECKOUT_PUBLIC_URL must be/],
    [{CHECKOUT_TOKEN_SECRET: ''}, /^CHECKOUT_TOKEN_SECRET must be text of at least 32/],
    [{CHECKOUT_STROE: 'x'}, /did you mean CHECKOUT_STORE\?$/],
    [{CHECKOUT_STORE: 'oracle://db'}, /^no store for oracle:/],
    [{CHECKOUT_WEBHOOK_URL: 'https://shop.example'}, /need each other$/],
    [{CHECKOUT_WEBHOOK_SECRET: secret}, /need each other$/],
    [{...webhook, CHECKOUT_WEBHOOK_SECRET: 'whsec_short'}, /^CHECKOUT_WEBHOOK_SECRET must be whsec_/],
    [{PORT: '70000'}, /^PORT must be/],
    [{PORT: String(port)}, new RegExp(`^port ${port} is in use; choose another with PORT$`)],
  ]
  for (const [changes, expected] of cases) assert.match(await failure({...complete, ...changes}), expected)
  assert.match(await failure(complete, '--config', '/nowhere'), /^the file \/nowhere cannot be read$/)
  assert.match(await failure(complete, '--sandbocks'), /--sandbocks/)
  assert.match(await failure({NODE_ENV: 'x'}, 'now'), /^unknown argument: now$/)
  taken.close()
})

test('events go over https, or to an address of this machine or a private network', () => {
  const read = (url: string, more = {}) =>
    readConfiguration({...complete, ...webhook, CHECKOUT_WEBHOOK_URL: url, ...more}, undefined)
  for (const url of [
    ...[
      'https://shop.example/events',
      'http://localhost:8000/events',
      'http://127.0.0.1/',
      'http://[::1]:8000/',
    ],
    ...['http://10.1.2.3/', 'http://172.31.0.1/', 'http://192.168.1.1/', 'http://[fd00::1]/'],
    'http://[::ffff:10.1.2.3]/',
  ])
    assert.equal(read(url).CHECKOUT_WEBHOOK_URL, url)
  for (const url of [
    ...['http://shop.example/', 'http://8.8.8.8/', 'http://172.32.0.1/', 'http://169.254.169.254/latest'],
    ...['http://[fe80::1]/', 'http://0.0.0.0/', 'http://127.0.0.1.nip.io/', 'http://localhost.shop.example/'],
    ...['http://[::ffff:169.254.169.254]/', 'http://[::ffff:8.8.8.8]/', 'http://0xa9fea9fe/', 'http://[::]/'],
    ...['ftp://127.0.0.1/', 'file:///etc/passwd', 'https://user:password@shop.example/', 'nowhere'],
  ])
    assert.throws(() => read(url), /CHECKOUT_WEBHOOK_URL must be/, url)
  const insecure = {CHECKOUT_WEBHOOK_INSECURE: '1'}
  assert.ok(read('http://shop/events', insecure))
  assert.throws(() => read('ftp://shop/', insecure), /CHECKOUT_WEBHOOK_URL must be/)
})

test('a LIVE key needs secrets of the shop, and the sandbox needs none', async () => {
  const own = 'k3-R2-x9-Q7-b5-M1-w8-T4-f6-Z0-c2'
  const live = {...complete, CHECKOUT_API_KEY: 'LIVE;PK;1', CHECKOUT_SECRET: own}
  assert.ok(readConfiguration(live, undefined))
  for (const [name, secret] of [
    ['CHECKOUT_SECRET', 'a'.repeat(32)],
    ['CHECKOUT_SECRET', publishedSecrets.CHECKOUT_SECRET],
    ['CHECKOUT_WEBHOOK_SECRET', webhook.CHECKOUT_WEBHOOK_SECRET],
    ['CHECKOUT_WEBHOOK_SECRET', publishedSecrets.CHECKOUT_WEBHOOK_SECRET],
  ] as const) {
    const changes = {...live, ...(name === 'CHECKOUT_WEBHOOK_SECRET' && webhook), [name]: secret}
    assert.match(await failure(changes), new RegExp(`^${name} must be a secret of your own`))
    assert.ok(readConfiguration({...changes, CHECKOUT_API_KEY: 'TEST;PK;1'}, undefined))
  }
})

test('values of the file may be quoted and have a #, a byte order mark is skipped, and all refused ones are named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'))
  const file = join(folder, 'checkout.env')
  const read = async (...lines: string[]) => {
    await writeFile(file, ['\ufeffCHECKOUT_STORE=memory:', ...lines].join('\r\n'))
    const {CHECKOUT_STORE: _, ...environment} = complete
    return readConfiguration(environment, file)
  }
  for (const [line, name] of [
    ['CHECKOUT_NAME=Shop #1', 'Shop'],
    ['CHECKOUT_NAME=Shop#1', 'Shop#1'],
    ['CHECKOUT_NAME="Shop #1" # ours', 'Shop #1'],
    ['export CHECKOUT_NAME = \'Shop "1"\'', 'Shop "1"'],
    ['# CHECKOUT_NAME=x', undefined],
  ] as const) {
    const {CHECKOUT_NAME, CHECKOUT_STORE} = await read('', line)
    assert.deepEqual([CHECKOUT_NAME, CHECKOUT_STORE], [name, 'memory:'], line)
  }
  await assert.rejects(read('PORT'), /^CommandError: line 2 of .*checkout.env is not NAME=value$/)
  await assert.rejects(read('CHECKOUT_TRUST_PROXY=yes', 'CHECKOUT_WEBHOOK_INSECURE=yes'), (error: Error) =>
    /CHECKOUT_TRUST_PROXY.*CHECKOUT_WEBHOOK_INSECURE|INSECURE.*TRUST_PROXY/.test(error.message),
  )
  await rm(folder, {recursive: true})
})
