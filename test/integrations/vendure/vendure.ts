/** A shop of Vendure, through its two GraphQL APIs. */
import assert from 'node:assert/strict'
import {post} from '../../system/json.js'
import {installPlatform, startPlatform} from '../platform.js'
import type {Shop} from '../describe-shop.js'

export async function startVendure(): Promise<Shop> {
  const platform = await startPlatform(await installPlatform('vendure'))
  const admin = await session(`${platform.url}/admin-api`)
  await admin('mutation { login(username: "admin", password: "admin") { __typename } }')
  const sessions = new Map<string, Awaited<ReturnType<typeof session>>>()
  const of = (id: string) => {
    const shop = sessions.get(id)
    assert.ok(shop)
    return shop
  }
  const addPayment = (id: string, method: string) =>
    of(id)(`mutation { addPaymentToOrder(input: {method: "${method}", metadata: {}}) { __typename } }`)

  return {
    ...platform,
    endpoint: '/crypto-checkout',
    async placeOrder() {
      const shop = await session(`${platform.url}/shop-api`)
      // One after the other, because the first one starts the session.
      for (const mutation of steps) await shop(`mutation { ${mutation} }`)
      const {createCryptoCheckout} = await shop('mutation { createCryptoCheckout { chargeId } }')
      const {activeOrder} = await shop('{ activeOrder { id totalWithTax } }')
      assert.equal(activeOrder.totalWithTax, 49_904)
      sessions.set(activeOrder.id, shop)
      return {id: activeOrder.id, chargeId: createCryptoCheckout.chargeId}
    },
    async createCharge(id) {
      return (await of(id)('mutation { createCryptoCheckout { chargeId } }')).createCryptoCheckout.chargeId
    },
    async claimPayment(id) {
      const {addPaymentToOrder} = await addPayment(id, 'crypto')
      assert.equal(addPaymentToOrder.__typename, 'PaymentDeclinedError')
    },
    payByCard: id => addPayment(id, 'card'),
    async history(id) {
      const {order} = await admin(`{ order(id: ${id}) {
        state
        payments { method amount state metadata }
        history(options: {filter: {type: {eq: "ORDER_NOTE"}}}) { items { data } }
      } }`)
      return [
        order.state,
        ...order.payments.map(({method, amount, state, metadata}) =>
          [method, amount, state, ...(metadata.late ? ['late'] : [])].join(' '),
        ),
        ...order.history.items.map(({data}) => data.note),
      ]
    },
  }
}

/** What the queries below return, each a part of it. */
interface Data {
  createCryptoCheckout: {chargeId: string}
  activeOrder: {id: string; totalWithTax: number}
  addPaymentToOrder: {__typename: string}
  order: {
    state: string
    payments: {method: string; amount: number; state: string; metadata: {late?: boolean}}[]
    history: {items: {data: {note: string}}[]}
  }
}

const steps = [
  'addItemToOrder(productVariantId: 1, quantity: 1) { __typename ... on ErrorResult { message } }',
  `setCustomerForOrder(input: {firstName: "Ada", lastName: "O", emailAddress: "ada@shop.example"}) { __typename }`,
  'setOrderShippingAddress(input: {streetLine1: "1 Street", countryCode: "NG"}) { __typename }',
  'setOrderShippingMethod(shippingMethodId: [1]) { __typename }',
  'transitionOrderToState(state: "ArrangingPayment") { __typename ... on ErrorResult { message } }',
]

/** A client of a GraphQL API that keeps its session. */
async function session(url: string) {
  let token: string | undefined
  return async (query: string): Promise<Data> => {
    const response = await post(url, {query}, token ? {authorization: `Bearer ${token}`} : {})
    token ??= response.headers.get('vendure-auth-token') ?? undefined
    const {data, errors} = (await response.json()) as {data: Data; errors?: unknown}
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
}
