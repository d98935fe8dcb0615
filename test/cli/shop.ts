/** A shop over a store folder, and the commands that read the folder. */
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore, type CheckoutOptions} from '../../src/node/index.js'
import {mug} from '../server/orders/shop.js'
import {requester, usdt} from '../server/scripted-service.js'

type Command = (args: readonly string[], print: (line: string) => void) => Promise<unknown>

/** Resolves to the lines that a command prints, and its exit code. */
export async function run(command: Command, ...args: readonly string[]) {
  const lines: string[] = []
  await command(args, line => lines.push(line))
  const {exitCode} = process
  process.exitCode = undefined
  return {lines, exitCode}
}

export async function startShop(t: TestContext, options: Partial<CheckoutOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  const sandbox = createSandbox()
  const store = fileStore(folder)
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    transport: sandbox.transport,
    store,
    logger: {info() {}, warn() {}, error() {}},
    ...options,
  })
  t.after(async () => {
    await checkout.close()
    await rm(folder, {recursive: true})
  })
  const request = requester(checkout.fetch)
  return {
    folder,
    store,
    sandbox,
    checkout,
    /** Resolves to the id of the charge of an order, which has a quote and, unless changed, is paid. */
    async place(orderId: string, {pays = true, ...changes}: Partial<typeof mug> & {pays?: boolean} = {}) {
      const {chargeId} = await checkout.createOrder(orderId, {...mug, ...changes})
      await request('POST', `/charges/${chargeId}`)
      await request('POST', `/charges/${chargeId}/quote`, usdt)
      if (pays) sandbox.pay(chargeId, usdt)
      if (pays) await request('POST', '/webhook', {chargeId})
      return chargeId
    },
    run: (command: Command, ...args: readonly string[]) => run(command, ...args, '--store', folder),
  }
}
