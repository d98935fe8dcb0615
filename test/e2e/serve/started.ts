/** `serve`, a shop in another language, and the sandbox, each in a process or on a port of its own. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {bundled} from '../../processes/bundle.js'
import {startProcess, type StartedProcess} from '../../system/start-process.js'

export const SECRET = 'sandbox-secret-of-the-merchant-api'
export const WEBHOOK_SECRET = 'whsec_c2FuZGJveC1zZWNyZXQtb2YtdGhlLXdlYmhvb2tz'

type Environment = Readonly<Record<string, string>>

/** Resolves when the process has printed this. */
export async function start(
  command: string,
  args: readonly string[],
  environment: Environment,
  ready: RegExp,
  cwd?: string,
): Promise<StartedProcess> {
  const own = Object.entries(process.env).filter(([name]) => !/_proxy$|^CHECKOUT_/i.test(name))
  const started = startProcess(command, args, {cwd, env: {...Object.fromEntries(own), ...environment}})
  await started.printed(ready)
  return started
}

let script: string | undefined

export async function startServe(environment: Environment, ...args: readonly string[]) {
  script ??= bundled('command.ts')
  const own = {PORT: '0', ...environment}
  const started = await start(process.execPath, [script, 'serve', ...args], own, /"listening".*\n/)
  return connect(started)
}

/** The addresses that `serve` has printed. */
export function connect(started: StartedProcess) {
  const [, url = ''] = /"message":"listening","url":"([^"]+)"/.exec(started.output()) ?? []
  const [, sandboxUrl = ''] = /sandbox +(http\S+)\/sandbox\//.exec(started.output()) ?? []
  return {...started, url, sandboxUrl, call: callsTo(url)}
}

export function callsTo(url: string) {
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${SECRET}`,
        ...(body && {'content-type': 'application/json'}),
        ...headers,
      },
      ...(body && {body: JSON.stringify(body)}),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }
}

export type Call = ReturnType<typeof callsTo>

export const order = (orderId: string) => ({
  orderId,
  amount: '49.90',
  currency: 'USD',
  country: 'GB',
  description: 'Mug',
  customer: {name: 'Ada', phone: '', email: 'ada@shop.example'},
})

const usdt = {asset: '825', network: 'bsc'}

/** As a customer does: opens the charge, chooses, and pays. */
export async function pay(call: Call, sandboxUrl: string, chargeId: string): Promise<void> {
  assert.equal((await call('POST', `/crypto-checkout/charges/${chargeId}`, {})).status, 200)
  assert.equal((await call('POST', `/crypto-checkout/charges/${chargeId}/quote`, usdt)).status, 200)
  const {status} = await callsTo(sandboxUrl)('POST', '/sandbox/pay', {id: chargeId, ...usdt})
  assert.equal(status, 200)
}

export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A shop that records its events. */
export async function startReceiver() {
  const events: ReceivedEvent[] = []
  const answered = new Set<string>()
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk: unknown) => (body += String(chunk)))
    req.on('end', () => void respond(body, req.headers, res))
  }).listen(0, '127.0.0.1')

  async function respond(body: string, headers: IncomingHttpHeaders, res: ServerResponse): Promise<void> {
    const type = String(JSON.parse(body).type)
    events.push({headers, body})
    await receiver.onEvent?.(type)
    res.writeHead(204).end()
    // Whoever was killed meanwhile does not know it.
    if (!res.socket?.destroyed) answered.add(type)
  }

  await once(server, 'listening')
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    events,
    /** Runs before the response. */
    onEvent: undefined as ((type: string) => Promise<void>) | undefined,
    answered: (type: string) => answered.has(type),
    close: () => server.close(),
  }
  return receiver
}

/** Fails after the time. */
export async function eventually(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, what)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
