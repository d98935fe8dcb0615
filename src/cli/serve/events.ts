/**
 * Events for the shop: the handlers of the proxy send them, signed as Standard Webhooks. A delivery that fails rejects, and
 * the proxy calls its handler again.
 */
import {createHash} from 'node:crypto'
import {Webhook} from 'standardwebhooks'
import {withTimeout, type Checkout, type Clock} from '../../contract/index.js'
import type {Transport} from '../../http/index.js'
import type {HandlerContext, Handlers} from '../../server/fulfilment/handlers.js'
import type {Event, EventType} from './schemas.js'

export interface EventOptions {
  readonly url: string
  /** `whsec_` and base64. */
  readonly secret: string
  /** Does not follow redirects. */
  readonly send: Transport
  readonly clock: Clock
}

/** Of the response, which is ignored. */
const MAX_BYTES = 1_000_000

/** The deadline of a delivery. */
const TIMEOUT_MS = 15_000

/** The message is for the log: one line, without a stack. */
class DeliveryError extends Error {
  override readonly name = 'DeliveryError'

  constructor(type: EventType, reason: string) {
    super(`${type} was not delivered: ${reason}`)
    delete this.stack
  }
}

const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'dns'],
  [/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'tls'],
  [/^ETIMEDOUT$/, 'timeout'],
]

/** `refused`, `dns`, `tls`, `timeout`, else `connection`. */
function reasonOf(error: unknown): string {
  const {cause = error} = error instanceof Error ? error : {}
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection'
}

export function eventHandlers({url, secret, send, clock}: EventOptions): Handlers {
  const webhook = new Webhook(secret)

  async function deliver(
    {id, signal}: Pick<HandlerContext, 'id' | 'signal'>,
    type: EventType,
    data: Event['data'],
  ): Promise<void> {
    const now = new Date(clock.now())
    const event: Event = {type, timestamp: now.toISOString(), data}
    const body = JSON.stringify(event)
    const webhookId = `msg_${createHash('sha256').update(id).digest('base64url').slice(0, 32)}`
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'crypto-checkout',
      // An idle connection may be closed just when it is used again.
      connection: 'close',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(webhookId, now, body),
    }
    const {status} = await withTimeout(
      clock,
      TIMEOUT_MS,
      inner => send({method: 'POST', url, headers, body, signal: inner, maxBytes: MAX_BYTES}),
      () => {
        throw new DeliveryError(type, 'timeout')
      },
      signal,
    ).catch((error: unknown) => {
      throw error instanceof DeliveryError ? error : new DeliveryError(type, reasonOf(error))
    })
    if (status < 200 || status > 299) throw new DeliveryError(type, `status ${status}`)
  }

  const ofOrder =
    (type: EventType) =>
    (checkout: Checkout, context: HandlerContext): Promise<void> =>
      deliver(context, type, dataOf(checkout, context))

  return {
    onPaid: ofOrder('order.paid'),
    onUnderpaid: ofOrder('order.underpaid'),
    onExpired: ofOrder('order.expired'),
    onCancelled: ofOrder('order.cancelled'),
    onPayment: (payment, {checkout, ...context}) =>
      deliver(context, 'payment.confirmed', {...dataOf(checkout, context), payment}),
    onRefundAddress: ({network, address, amount}, {checkout, ...context}) =>
      deliver(context, 'refund.requested', {
        ...dataOf(checkout, context),
        refund: {network, address, amount},
      }),
    onAlert: ({chargeId, orderId, ...alert}, {checkout, ...context}) => {
      const found = checkout && dataOf(checkout, context)
      return deliver(context, 'alert', {orderId: orderId ?? context.order?.id, chargeId, ...found, alert})
    },
  }
}

/** Field by field: nothing about the customer leaves (invariant 6). */
function dataOf(
  {chargeId, status, price, paid, due, payments, reference}: Checkout,
  {order}: Pick<HandlerContext, 'order'>,
): Event['data'] {
  return {orderId: order?.id ?? reference, chargeId, status, price, received: paid, due, payments}
}
