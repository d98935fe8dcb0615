/**
 * Sends webhooks about payments. The service's retries are mostly undocumented (specification, "Events"). Here each event
 * is posted until a 2xx response, at most six times, with a pause that doubles.
 */
import {withTimeout, type Clock} from '../contract/index.js'
import type {Dispatch, StoredPayment} from './state.js'
import type {WebhookMessage} from './webhook-formats.js'

/** Posts a webhook and returns the response status. */
export type Deliver = (url: string, body: string, headers: Record<string, string>) => Promise<number>

export const notDispatched: Dispatch = {retries: 0, dispatched: false, acknowledged: false}

const MAX_RETRIES = 5
const FIRST_PAUSE_MS = 1_000
const TIMEOUT_MS = 10_000

export const deliverByFetch: Deliver = async (url, body, headers) => {
  const response = await fetch(url, {method: 'POST', body, headers, redirect: 'manual'})
  await response.body?.cancel()
  return response.status
}

export class Webhooks {
  readonly #deliver: Deliver
  readonly #clock: Clock
  readonly #changed: () => void
  #inFlight = 0
  #idleWaiters: (() => void)[] = []

  /** @param changed called after each attempt */
  constructor(deliver: Deliver, clock: Clock, changed: () => void) {
    this.#deliver = deliver
    this.#clock = clock
    this.#changed = changed
  }

  /** Starts at once. A newer event of the same payment replaces its dispatch, which ends the retries of an earlier one. */
  send(payment: StoredPayment, url: string, message: WebhookMessage): void {
    payment.dispatch = {...notDispatched}
    void this.#run(payment, 0, url, message)
  }

  /** Continues after a restart, with the pause before the next retry. */
  resume(payment: StoredPayment, url: string, message: WebhookMessage): void {
    const {dispatch} = payment
    if (dispatch && !dispatch.acknowledged) void this.#run(payment, dispatch.retries + 1, url, message)
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise(resolve => this.#idleWaiters.push(resolve))
  }

  async #run(
    payment: StoredPayment,
    firstRetry: number,
    url: string,
    {contentType, body}: WebhookMessage,
  ): Promise<void> {
    const {dispatch = {...notDispatched}} = payment
    const headers = {'content-type': contentType, 'user-agent': 'crypto-checkout-sandbox'}
    for (let retry = firstRetry; retry <= MAX_RETRIES; retry++) {
      if (retry > 0) await this.#clock.sleep(FIRST_PAUSE_MS * 2 ** (retry - 1))
      if (payment.dispatch !== dispatch) return
      dispatch.retries = retry
      this.#inFlight++
      const status = await this.#attempt(() => this.#deliver(url, body, headers))
      dispatch.dispatched ||= status !== undefined
      dispatch.acknowledged = status !== undefined && status >= 200 && status < 300
      this.#changed()
      this.#inFlight--
      if (this.#inFlight === 0) for (const resolve of this.#idleWaiters.splice(0)) resolve()
      if (dispatch.acknowledged) return
    }
  }

  /** Returns the status, or `undefined` without a response. */
  #attempt(deliver: () => Promise<number>): Promise<number | undefined> {
    const result = withTimeout<number | undefined>(this.#clock, TIMEOUT_MS, deliver, () => undefined)
    return result.catch(() => undefined)
  }
}
