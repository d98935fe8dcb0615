/** A shop of Medusa, through its Store API. */
import assert from 'node:assert/strict'
import {json, post} from '../../system/json.js'
import {startPostgres} from '../../system/postgres-server.js'
import type {Shop} from '../describe-shop.js'
import {installPlatform, startPlatform} from '../platform.js'

interface History {
  status?: string
  metadata: {crypto_checkout?: {status: string; paid: string; late: boolean; alert?: string}} | null
  payment_collections?: {
    status: string
    captured_amount: number | null
    payments: {provider_id: string; amount: number}[]
  }[]
}

export async function startMedusa(): Promise<Shop> {
  const database = await startPostgres()
  const platform = await startPlatform(await installPlatform('medusa'), {
    DATABASE_URL: database.url,
    MEDUSA_DISABLE_TELEMETRY: 'true',
  })
  const {url} = platform
  const settings = await json<{key: string; region_id: string; variant_id: string}>(
    fetch(`${url}/test/settings`),
  )
  const collections = new Map<string, string>()
  const send = (path: string, body: object) =>
    post(`${url}/store/${path}`, body, {'x-publishable-api-key': settings.key})

  async function chooseProvider(cartId: string, provider_id: string) {
    const path = `payment-collections/${collections.get(cartId)}/payment-sessions`
    const {payment_collection} = await json<{
      payment_collection: {payment_sessions: {provider_id: string; data: {chargeId: string}}[]}
    }>(send(path, {provider_id}))
    const session = payment_collection.payment_sessions.find(each => each.provider_id === provider_id)
    assert.ok(session)
    return session.data.chargeId
  }
  const createCharge = (cartId: string) => chooseProvider(cartId, 'pp_crypto-checkout_crypto-checkout')
  const complete = (cartId: string) => json<{type: string}>(send(`carts/${cartId}/complete`, {}))

  return {
    ...platform,
    endpoint: '/crypto-checkout',
    async placeOrder() {
      const {variant_id, region_id} = settings
      const {cart} = await json<{cart: {id: string}}>(
        send('carts', {
          region_id,
          email: 'ada@shop.example',
          shipping_address: {first_name: 'Ada', last_name: 'O', address_1: '1 Street', country_code: 'ng'},
          items: [{variant_id, quantity: 1}],
        }),
      )
      const {payment_collection} = await json<{payment_collection: {id: string}}>(
        send('payment-collections', {cart_id: cart.id}),
      )
      collections.set(cart.id, payment_collection.id)
      return {id: cart.id, chargeId: await createCharge(cart.id)}
    },
    createCharge,
    async claimPayment(id) {
      const response = await send(`carts/${id}/complete`, {})
      assert.doesNotMatch(await response.text(), /"type":"order"/)
    },
    async payByCard(id) {
      await chooseProvider(id, 'pp_system_default')
      assert.equal((await complete(id)).type, 'order')
    },
    async history(id) {
      const {
        status,
        metadata,
        payment_collections = [],
      } = await json<History>(fetch(`${url}/test/history/${id}`))
      const crypto = metadata?.crypto_checkout
      return [
        status ? `order ${status}` : 'cart',
        ...payment_collections.flatMap(collection => [
          `${collection.status}, captured ${collection.captured_amount ?? 0}`,
          ...collection.payments.map(({provider_id, amount}) => `${provider_id} ${amount}`),
        ]),
        ...(crypto
          ? [[crypto.status, crypto.paid, crypto.late && 'late', crypto.alert].filter(Boolean).join(', ')]
          : []),
      ]
    },
    async stop() {
      await platform.stop()
      await database.stop()
    },
  }
}
