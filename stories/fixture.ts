/** A shop in the page: the real proxy against the real sandbox, so that a story shows what a customer would see. */
import {memoryStore} from '../src/server/stores/memory-store.js'
import {createCheckoutCore} from '../src/server/create-checkout.js'
import {createSandboxCore, type SandboxCore, type SandboxOptions} from '../src/sandbox/sandbox.js'

export interface StoryFixture extends StorySetup {
  readonly fetch: typeof globalThis.fetch
}

/** What has happened to the charge before the story begins. */
export interface StorySetup {
  readonly sandbox: SandboxCore
  readonly chargeId: string
  /** Asks the checkout API, as a page would have. */
  ask(path: string, body?: object): Promise<void>
}

/** What is sold, and how the sandbox is set up. */
export interface StoryOptions {
  readonly amount?: string
  readonly currency?: string
  readonly description?: string
  readonly pricing?: 'fixed_price' | 'fixed_or_partial_price'
  /** Empty: no way back to the shop. */
  readonly redirect?: string
  readonly sandbox?: SandboxOptions
}

export const usdtOnBsc = {asset: '825', network: 'bsc'}

export async function openFixture(
  before: (charge: StorySetup) => void | Promise<void> = () => undefined,
  {
    amount = '49.90',
    currency = 'USD',
    description = 'Two mugs from Halm & Oak',
    pricing = 'fixed_or_partial_price',
    redirect = 'https://shop.example/thanks',
    sandbox: options = {},
  }: StoryOptions = {},
): Promise<StoryFixture> {
  const sandbox = createSandboxCore({deliver: () => Promise.resolve(200), random: seeded(), ...options})
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
      currency,
      amount,
      pricing_type: pricing,
      description,
      country: 'NG',
    },
    metadata: {},
    call_back_url: redirect,
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
  return {sandbox, chargeId, ask, fetch}
}

/** The customer has chosen USDT on BNB Smart Chain, and its address is active. */
export async function quoted({ask}: StorySetup): Promise<void> {
  await ask('')
  await ask('/quote', usdtOnBsc)
}

/** The same ids and addresses in every picture. */
function seeded(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
