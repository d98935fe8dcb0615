/** The real proxy and the real sandbox in the page, so that a story shows what a customer would see. */
import type {CheckoutCoreOptions} from '../src/server/options.js'
import {memoryStore} from '../src/stores/memory-store.js'
import {createCheckoutCore, type CheckoutCore} from '../src/server/create-checkout.js'
import {seededRandom} from '../test/seeded-random.js'
import {createSandboxCore, type SandboxCore, type SandboxOptions} from '../src/sandbox/sandbox.js'

export interface StoryFixture extends StorySetup {
  readonly fetch: typeof globalThis.fetch
  /** Of the customer, if the shop uses client tokens. */
  readonly token: string | undefined
}

/** For preparing the charge before the story begins. */
export interface StorySetup {
  readonly sandbox: SandboxCore
  readonly chargeId: string
  /** Sends a POST to the checkout API, below the path of the charge. */
  post(path: string, body?: object): Promise<void>
  /** The order of the charge is `order-7`. */
  readonly checkout: Pick<CheckoutCore, 'cancelOrder' | 'getOrder'>
}

/** The charge, and options of the sandbox. */
export interface StoryOptions {
  readonly amount?: string
  readonly currency?: string
  readonly description?: string
  /** The customer may pay in parts. */
  readonly partial?: boolean
  /** Empty: no link back to the shop. */
  readonly redirect?: string
  readonly sandbox?: SandboxOptions
  /** The shop uses client tokens, so that customers can say where money should be sent back. */
  readonly tokens?: boolean
  /** What was paid of the order before the time ended: the charge is for its rest. */
  readonly paidBefore?: string
  /** Of the shop's server. */
  readonly handlers?: Pick<CheckoutCoreOptions, 'onPaid' | 'onUnderpaid'>
}

export const usdtOnBsc = {asset: '825', network: 'bsc'}

export async function openFixture(
  prepare: (setup: StorySetup) => void | Promise<void> = () => undefined,
  {
    amount = '49.90',
    currency = 'USD',
    description = 'Two mugs from Halm & Oak',
    partial = false,
    redirect = 'https://shop.example/thanks',
    sandbox: options = {},
    tokens = false,
    paidBefore,
    handlers,
  }: StoryOptions = {},
): Promise<StoryFixture> {
  const sandbox = createSandboxCore({
    webhookUrl: new URL('/crypto-checkout/webhook', location.origin).href,
    deliver: async (url, body, headers) =>
      (await checkout.fetch(new Request(url, {method: 'POST', body, headers}))).status,
    random: seededRandom(7),
    ...options,
  })
  const checkout = createCheckoutCore({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    transport: sandbox.transport,
    store: memoryStore(),
    clock: sandbox.clock,
    ...(tokens && {tokenSecret: 'a secret of at least 32 characters'}),
    ...handlers,
  })
  const customer = {name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'}
  const createOrder = async () => {
    const bill = {amount, currency, country: 'NG', description, partial}
    const input = {...bill, customer, ...(redirect && {redirectUrl: redirect})}
    return (await checkout.createOrder('order-7', input)).chargeId
  }
  let chargeId = await createOrder()
  const tokenOf = () => (tokens ? checkout.createToken(chargeId) : undefined)
  const post = async (path: string, body: object = {}) => {
    const token = tokenOf()
    const request = new Request(`/crypto-checkout/charges/${chargeId}${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...(token && {'x-checkout-token': token})},
      body: JSON.stringify(body),
    })
    await (await checkout.fetch(request)).text()
  }
  if (paidBefore !== undefined) {
    await requestQuote({post})
    sandbox.pay(chargeId, {...usdtOnBsc, amount: paidBefore})
    sandbox.expire(chargeId)
    await checkout.getOrder('order-7')
    chargeId = await createOrder()
  }
  const setup = {sandbox, chargeId, post, checkout}
  await prepare(setup)
  const fetch: typeof globalThis.fetch = (input, init) => checkout.fetch(new Request(input, init))
  return {...setup, fetch, token: tokenOf()}
}

/** Opens the charge and requests a quote for USDT on BNB Smart Chain. */
export async function requestQuote({post}: Pick<StorySetup, 'post'>): Promise<void> {
  await post('')
  await post('/quote', usdtOnBsc)
}

/** A charge with a quote, and a payment of it. */
export function paidWith(payment: {amount: string; confirmed?: boolean}) {
  return async (setup: StorySetup): Promise<void> => {
    await requestQuote(setup)
    setup.sandbox.pay(setup.chargeId, {...usdtOnBsc, ...payment})
  }
}
