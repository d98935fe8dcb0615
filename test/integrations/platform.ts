/** A real platform with our package for it, in a process of its own, and a customer who pays through its proxy. */
import assert from 'node:assert/strict'
import {cpSync, rmSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import type {Checkout} from '../../src/contract/index.js'
import type {PayResult} from '../../src/sandbox/index.js'
import {install, installTools, pack, run, temporaryFolder} from '../package/project.js'
import {freePort} from '../system/free-port.js'
import {json, post} from '../system/json.js'
import {startProcess} from '../system/start-process.js'

/** The platform's packages, with the packed checkout and our package, which is compiled with the platform's types. */
export async function installPlatform(name: string): Promise<string> {
  const tools = await installTools(`test/integrations/${name}/tools.json`)
  const project = dirname(tools)
  const {tarball} = await pack(temporaryFolder())
  await install(tarball, project, {isNested: true})
  // Medusa finds itself in it, and its configuration is CommonJS.
  cpSync(join(tools, 'tools.json'), join(project, 'package.json'))
  const integration = join(tools, `crypto-checkout-${name}`)
  rmSync(integration, {recursive: true, force: true})
  cpSync(join('integrations', name), integration, {recursive: true})
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', integration])
  cpSync(join('test/integrations', name, 'shop'), project, {recursive: true})
  return project
}

export interface Platform {
  readonly url: string
  stop(): Promise<unknown>
}

/** @param project has a `shop.mjs` that listens on `PORT` and prints `started` when it does */
export async function startPlatform(
  project: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Platform> {
  const PORT = String(await freePort())
  const shop = startProcess(process.execPath, ['shop.mjs'], {
    cwd: project,
    env: {...process.env, ...env, PORT, NODE_ENV: 'development'},
  })
  await shop.printed(/^started$/m, 600_000)
  return {url: `http://127.0.0.1:${PORT}`, stop: () => shop.end('SIGKILL')}
}

/** What the page and the payment service send to a shop whose sandbox is at `/sandbox`. */
export class Customer {
  constructor(
    readonly url: string,
    readonly endpoint: string,
  ) {}

  open(chargeId: string): Promise<Checkout> {
    return this.#post(`${this.endpoint}/charges/${chargeId}`, {})
  }

  async quote(chargeId: string): Promise<void> {
    await this.open(chargeId)
    const {quote} = await this.#post<Checkout>(`${this.endpoint}/charges/${chargeId}/quote`, usdt)
    assert.ok(quote)
  }

  /** Without a webhook, as `notify` sends it. */
  pay(chargeId: string, options: {amount?: string; confirmed?: boolean} = {}): Promise<PayResult> {
    return this.#post('/sandbox/pay', {id: chargeId, ...usdt, ...options})
  }

  confirm(transactionId: string): Promise<unknown> {
    return this.#post('/sandbox/confirm', {transactionId})
  }

  /** The response comes when the shop's handlers have run. Another process or request may be calling them: 503. */
  async notify(chargeId: string): Promise<void> {
    const {status} = await post(`${this.url}${this.endpoint}/webhook`, {chargeId})
    assert.ok(status === 200 || status === 503, `webhook: ${status}`)
  }

  moveClock(ms: number): Promise<unknown> {
    return this.#post('/sandbox/clock', {ms})
  }

  #post<Reply>(path: string, body: object): Promise<Reply> {
    return json<Reply>(post(`${this.url}${path}`, body))
  }
}

const usdt = {asset: '825', network: 'bsc'}
