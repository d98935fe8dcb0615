/** Responses of the real proxy with the real sandbox, recorded so that the figures include no network. */
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {order} from '../../test/server/order.js'

export interface RecordedResponses {
  readonly chargeId: string
  readonly opened: unknown
  readonly quoted: unknown
}

export async function recordResponses(): Promise<RecordedResponses> {
  const sandbox = createSandbox()
  const service = await sandbox.listen()
  const checkout = createCheckout({apiKey: sandbox.apiKey, baseUrl: service.url, store: memoryStore()})
  try {
    const {_id: chargeId} = await checkout.service.createCharge(order())
    const post = async (path: string, body: unknown): Promise<unknown> => {
      const response = await checkout.fetch(
        new Request(`http://shop.example/crypto-checkout/charges/${chargeId}${path}`, {
          method: 'POST',
          headers: {'content-type': 'application/json'},
          body: JSON.stringify(body),
        }),
      )
      if (!response.ok) throw new Error(`the proxy returned ${response.status}`)
      return response.json()
    }
    const opened = await post('', {})
    return {chargeId, opened, quoted: await post('/quote', {asset: '825', network: 'bsc'})}
  } finally {
    await checkout.close()
    await service.close()
  }
}
