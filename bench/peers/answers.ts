/** What the real proxy answers over the real sandbox, kept, so that no network is in the figures. */
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {order} from '../../test/server/order.js'

export interface Answers {
  readonly chargeId: string
  readonly opened: unknown
  readonly quoted: unknown
}

export async function answers(): Promise<Answers> {
  const sandbox = createSandbox()
  const service = await sandbox.listen()
  const checkout = createCheckout({apiKey: sandbox.apiKey, baseUrl: service.url, store: memoryStore()})
  try {
    const {_id: chargeId} = await checkout.service.createCharge(order())
    const ask = async (path: string, body: unknown): Promise<unknown> => {
      const response = await checkout.fetch(
        new Request(`http://shop.example/crypto-checkout/charges/${chargeId}${path}`, {
          method: 'POST',
          headers: {'content-type': 'application/json'},
          body: JSON.stringify(body),
        }),
      )
      if (!response.ok) throw new Error(`the proxy answered ${response.status}`)
      return response.json()
    }
    const opened = await ask('', {})
    return {chargeId, opened, quoted: await ask('/quote', {asset: '825', network: 'bsc'})}
  } finally {
    await checkout.close()
    await service.close()
  }
}
