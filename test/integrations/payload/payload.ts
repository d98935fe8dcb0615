/** A shop of Payload, through its REST API. */
import assert from 'node:assert/strict'
import {join} from 'node:path'
import {temporaryFolder} from '../../package/project.js'
import {json, post} from '../../system/json.js'
import type {Shop} from '../describe-shop.js'
import {installPlatform, startPlatform} from '../platform.js'

interface Transaction {
  status: string
  paymentMethod: string
  amount: number
  crypto: {status?: string; paid?: string; late?: boolean; alert?: string}
}

const DATABASE = join(temporaryFolder(), 'payload.db')

export async function startPayload(): Promise<Shop> {
  const platform = await startPlatform(await installPlatform('payload'), {DATABASE})
  const api = `${platform.url}/api`
  const {token} = await json<{token: string}>(
    post(`${api}/users/login`, {email: 'admin@shop.example', password: 'admin'}),
  )
  const secrets = new Map<string, string>()
  const ofCart = (id: string) => ({
    cartID: Number(id),
    secret: secrets.get(id),
    customerEmail: 'ada@shop.example',
  })
  const initiate = (id: string, method: string) =>
    json<{chargeId: string; id: number}>(
      post(`${api}/payments/${method}/initiate`, {...ofCart(id), billingAddress}),
    )

  async function find<Doc>(collection: string, id: string): Promise<Doc[]> {
    const field = collection === 'orders' ? 'transactions.cart' : 'cart'
    const query = `where[${field}][equals]=${id}&depth=0&sort=createdAt`
    const headers = {authorization: `JWT ${token}`}
    return (await json<{docs: Doc[]}>(fetch(`${api}/${collection}?${query}`, {headers}))).docs
  }

  return {
    ...platform,
    endpoint: '/api/crypto-checkout',
    async placeOrder() {
      const items = [{product: 1, quantity: 1}]
      const {doc} = await json<{doc: {id: number; secret: string}}>(
        post(`${api}/carts`, {items, currency: 'USD'}),
      )
      const id = String(doc.id)
      secrets.set(id, doc.secret)
      return {id, chargeId: (await initiate(id, 'crypto-checkout')).chargeId}
    },
    createCharge: async id => (await initiate(id, 'crypto-checkout')).chargeId,
    async claimPayment(id) {
      const {status} = await post(`${api}/payments/crypto-checkout/confirm-order`, ofCart(id))
      assert.equal(status, 500)
    },
    async payByCard(id) {
      const transaction = await initiate(id, 'card')
      await json(post(`${api}/payments/card/confirm-order`, {...ofCart(id), id: transaction.id}))
    },
    async history(id) {
      const transactions = await find<Transaction>('transactions', id)
      const orders = await find<{status: string; amount: number}>('orders', id)
      return [
        ...transactions.map(({status, paymentMethod, crypto: {status: charge, paid, late, alert}}) =>
          [`${paymentMethod} ${status}`, charge, paid, late && 'late', alert].filter(Boolean).join(', '),
        ),
        ...orders.map(({status, amount}) => `order ${status} ${amount}`),
      ]
    },
  }
}

const billingAddress = {firstName: 'Ada', lastName: 'O', country: 'NG'}
