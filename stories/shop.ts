/** A shop in the page: the real proxy against the real sandbox, so that a story shows what a customer would see. */
import {memoryStore} from '../src/server/stores/memory-store.js'
import {createCheckoutCore} from '../src/server/checkout.js'
import {createSandboxCore, type SandboxCore} from '../src/sandbox/sandbox.js'

export interface Shop {
  readonly chargeId: string
  readonly fetch: typeof globalThis.fetch
}

/** What has happened to the charge before the story begins. */
export interface Before {
  readonly sandbox: SandboxCore
  readonly chargeId: string
  /** Asks the checkout API, as a page would have. */
  ask(path: string, body?: object): Promise<void>
}

export const usdtOnBsc = {asset: '825', network: 'bsc'}

export async function openShop(
  before: (charge: Before) => void | Promise<void> = () => undefined,
): Promise<Shop> {
  const sandbox = createSandboxCore({deliver: () => Promise.resolve(200)})
  const checkout = createCheckoutCore({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    transport: sandbox.transport,
    store: memoryStore(),
    clock: sandbox.clock,
  })
  const {_id: chargeId} = await checkout.service.createCharge({
    ref_id: 'order-7',
    customer: {user_id: 'u7', name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'},
    billing: {
      currency: 'USD',
      amount: '49.90',
      pricing_type: 'fixed_price',
      description: 'Two mugs from Halm & Oak',
      country: 'NG',
    },
    metadata: {},
    call_back_url: 'https://shop.example/thanks',
    userId: 'u7',
    charge_source: 'api',
  })
  const ask = async (path: string, body: object = {}) => {
    const request = new Request(`/crypto-checkout/charges/${chargeId}${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    })
    await (await checkout.fetch(request)).text()
  }
  await before({sandbox, chargeId, ask})
  const fetch: typeof globalThis.fetch = (input, init) => checkout.fetch(new Request(input, init))
  return {chargeId, fetch}
}

/** The customer has chosen USDT on BNB Smart Chain, and its address is active. */
export async function quoted({ask}: Before): Promise<void> {
  await ask('')
  await ask('/quote', usdtOnBsc)
}
