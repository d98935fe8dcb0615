/** One purchase over HTTP, the same for every runtime: the shop runs there, the customer and the service here. */
import assert from 'node:assert/strict'
import type {Checkout, Quote} from '../../src/contract/index.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createServiceClient} from '../../src/node/index.js'
import {order} from '../server/order.js'
import {json, post} from '../system/json.js'

export interface Service {
  readonly env: Readonly<Record<'CHECKOUT_API_KEY' | 'CHECKOUT_BASE_URL', string>>
  readonly sandbox: ReturnType<typeof createSandbox>
  /** The statuses of the responses to webhooks. */
  readonly webhooks: readonly number[]
  createCharge(): Promise<string>
  /** A customer pays, and the service sends no webhook. */
  openAndPay(shop: Pick<Shop, 'url'>, chargeId?: string): Promise<void>
  close(): Promise<void>
}

export interface Shop {
  readonly url: string
  /** Resolves when it has printed this text. */
  printed(text: string): Promise<void>
}

/** What a shop reports after the purchase, whatever it runs on. */
export const expected = [
  'ready: 200',
  'open: 49.90 USD, 17 assets',
  'quote: 49.88503449 USDT on bsc',
  'verify: Not paid yet',
  'webhook: 200',
  'read: 204, then paid',
  'onPaid: order-7 is paid: ship it',
  'verify: Paid',
]

const usdt = {asset: 'USDT', network: 'bsc'}

export async function startService(): Promise<Service> {
  const webhooks: number[] = []
  const sandbox = createSandbox({
    async deliver(url, body, headers) {
      const {status} = await fetch(url, {method: 'POST', body, headers})
      webhooks.push(status)
      return status
    },
  })
  const {url, close} = await sandbox.listen()
  const client = createServiceClient({apiKey: sandbox.apiKey, baseUrl: url})
  const createCharge = async () => (await client.createCharge(order()))._id
  return {
    env: {CHECKOUT_API_KEY: sandbox.apiKey, CHECKOUT_BASE_URL: url},
    sandbox,
    webhooks,
    createCharge,
    async openAndPay(shop, existing) {
      const chargeId = existing ?? (await createCharge())
      const {quote} = await openAndQuote(`${shop.url}/crypto-checkout/charges/${chargeId}`)
      sandbox.pay(chargeId, {...usdt, amount: quote.amount, address: quote.address})
    },
    close,
  }
}

export async function buy(shop: Shop, service: Service): Promise<string[]> {
  const {sandbox, webhooks} = service
  const lines = [`ready: ${(await fetch(`${shop.url}/crypto-checkout/ready`)).status}`]
  const chargeId = await service.createCharge()
  const charge = `${shop.url}/crypto-checkout/charges/${chargeId}`

  const {opened, quote} = await openAndQuote(charge)
  lines.push(`open: ${opened.price.amount} ${opened.price.currency}, ${opened.assets.length} assets`)
  const {amount, address} = quote
  lines.push(`quote: ${amount} ${quote.symbol} on ${quote.network}`)
  const etag = (await fetch(charge)).headers.get('etag') ?? ''
  const known = `${charge}?known=${encodeURIComponent(etag)}`
  const {status: unchanged} = await fetch(known)
  lines.push(`verify: ${await thanks()}`)

  sandbox.webhookUrl = `${shop.url}/crypto-checkout/webhook`
  sandbox.pay(chargeId, {...usdt, amount, address})
  await shop.printed('order-7 is paid: ship it')
  await sandbox.idle()
  lines.push(`webhook: ${webhooks.join()}`)
  const {status} = (await (await fetch(known)).json()) as Checkout
  lines.push(`read: ${unchanged}, then ${status}`)
  lines.push('onPaid: order-7 is paid: ship it', `verify: ${await thanks()}`)
  return lines

  async function thanks(): Promise<string> {
    return (await fetch(`${shop.url}/thanks/${chargeId}`)).text()
  }
}

async function openAndQuote(charge: string): Promise<{opened: Checkout; quote: Quote}> {
  const opened = await json<Checkout>(post(charge, {}))
  const asset = opened.assets.find(({symbol}) => symbol === usdt.asset)?.id
  const {quote} = await json<Checkout>(post(`${charge}/quote`, {asset, network: usdt.network}))
  assert(quote)
  return {opened, quote}
}
