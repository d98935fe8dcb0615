/** A shop with orders: the real proxy with the real sandbox, on a fake clock. */
import assert from 'node:assert/strict'
import {createSandboxCore} from '../../../src/sandbox/sandbox.js'
import {createCheckoutCore} from '../../../src/server/create-checkout.js'
import type {CheckoutCoreOptions} from '../../../src/server/options.js'
import type {OrderInput} from '../../../src/server/orders/order-input.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {FakeClock} from '../../fake-clock.js'
import {flushRequests, recordingLogger, requester, startOfTest, usdt} from '../scripted-service.js'

export const mug: OrderInput = {
  amount: '49.90',
  currency: 'USD',
  country: 'NG',
  description: 'Mug',
  customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'},
}

/** Lets the second pass that forced reads of a charge are apart. */
export async function passWhile<Result>(clock: FakeClock, call: Promise<Result>): Promise<Result> {
  let isEnded = false
  const end = () => (isEnded = true)
  call.then(end, end)
  for (let second = 0; second < 5 && !isEnded; second++) {
    await flushRequests()
    if (!isEnded) await clock.advance(1_000)
  }
  await flushRequests()
  assert.ok(isEnded, 'the call takes more than five seconds')
  return call
}

export function shop(options: Partial<CheckoutCoreOptions> = {}) {
  const clock = new FakeClock(startOfTest)
  const sandbox = createSandboxCore({clock})
  const store = options.store ?? memoryStore()
  const received: string[] = []
  const {logger, logged} = recordingLogger()
  const start = (others: Partial<CheckoutCoreOptions> = {}) =>
    createCheckoutCore({
      apiKey: sandbox.apiKey,
      baseUrl: sandbox.baseUrl,
      transport: sandbox.transport,
      clock,
      store,
      logger,
      reconcileEvery: 0,
      onPayment: ({local}, {order}) => void received.push(`payment ${local.amount} ${order?.id}`),
      onPaid: ({chargeId}, {order}) => void received.push(`paid ${chargeId} ${order?.chargeIds.join(' ')}`),
      onUnderpaid: ({chargeId}) => void received.push(`underpaid ${chargeId}`),
      onExpired: ({chargeId}) => void received.push(`expired ${chargeId}`),
      onCancelled: ({chargeId}) => void received.push(`cancelled ${chargeId}`),
      onAlert: ({kind, chargeId}, {order}) => void received.push(`${kind} ${chargeId} ${order?.id}`),
      ...options,
      ...others,
    })
  const checkout = start()
  const requestOf = ({fetch}: Pick<typeof checkout, 'fetch'>): ReturnType<typeof requester> => {
    const request = requester(fetch)
    return (method, path, body, headers) => {
      const [, chargeId] = /^\/charges\/([^/]+)/.exec(path) ?? []
      const token = options.tokenSecret && chargeId && {'x-checkout-token': checkout.createToken(chargeId)}
      return request(method, path, body, {...token, ...headers})
    }
  }
  const request = requestOf(checkout)
  const inTime = <Result>(call: Promise<Result>) => passWhile(clock, call)
  const quote = async (chargeId: string) => {
    await inTime(request('POST', `/charges/${chargeId}`))
    return inTime(request('POST', `/charges/${chargeId}/quote`, usdt))
  }
  return {
    clock,
    sandbox,
    store,
    received,
    logged,
    request,
    requestOf,
    start,
    inTime,
    quote,
    checkout: {
      ...checkout,
      createOrder: (id: string, input = mug) => inTime(checkout.createOrder(id, input)),
      getOrder: (id: string) => inTime(checkout.getOrder(id)),
      cancelOrder: (id: string) => inTime(checkout.cancelOrder(id)),
      reconcile: () => inTime(checkout.reconcile()),
    },
    read: async (chargeId: string) => {
      await clock.advance(1_500)
      return (await inTime(request('GET', `/charges/${chargeId}`))).json
    },
    /** A customer opens the charge and pays it, and the service calls the webhook. */
    async pay(chargeId: string, {part, confirmed = true}: {part?: string; confirmed?: boolean} = {}) {
      const {json} = await quote(chargeId)
      const {amount, address} = json.quote
      const result = sandbox.pay(chargeId, {...usdt, amount: part ?? amount, address, confirmed})
      await inTime(request('POST', '/webhook', {chargeId}))
      await checkout.settle()
      return result
    },
    /** The service reports a payment on its own hosted page. */
    async payElsewhere(chargeId: string) {
      sandbox.payElsewhere(chargeId, {listed: true})
      await inTime(request('POST', '/webhook', {chargeId}))
      await checkout.settle()
    },
  }
}
