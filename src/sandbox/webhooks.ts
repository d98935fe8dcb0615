/**
 * Sends webhooks about payments. The service's retries are mostly undocumented (specification, "Events"). Here each event
 * is posted until a 2xx response, at most six times, with a pause that doubles.
 */
import {withTimeout, type Clock} from '../contract/index.js'
import type {WebhookMessage} from './webhook-formats.js'

/** Posts a webhook and returns the response status. */
export type Deliver = (url: string, body: string, headers: Record<string, string>) => Promise<number>

/** The delivery of a payment's last event, as shown in its verification record. */
export interface Dispatch {
  retries: number
  /** There was a response, with any status. */
  dispatched: boolean
  /** There was a 2xx response. */
  acknowledged: boolean
}

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
  #inFlight = 0
  #idleWaiters: (() => void)[] = []

  constructor(deliver: Deliver, clock: Clock) {
    this.#deliver = deliver
    this.#clock = clock
  }

  /** Starts at once. A newer event of the same payment replaces its dispatch, which ends the retries of an earlier one. */
  send(payment: {dispatch: Dispatch}, url: string, {contentType, body}: WebhookMessage): void {
    payment.dispatch = {...notDispatched}
    const headers = {'content-type': contentType, 'user-agent': 'crypto-checkout-sandbox'}
    void this.#run(payment, () => this.#deliver(url, body, headers))
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise(resolve => this.#idleWaiters.push(resolve))
  }

  async #run(payment: {dispatch: Dispatch}, deliver: () => Promise<number>): Promise<void> {
    const {dispatch} = payment
    for (let retry = 0; retry <= MAX_RETRIES; retry++) {
      if (retry > 0) await this.#clock.sleep(FIRST_PAUSE_MS * 2 ** (retry - 1))
      if (payment.dispatch !== dispatch) return
      dispatch.retries = retry
      this.#inFlight++
      const status = await this.#attempt(deliver)
      dispatch.dispatched ||= status !== undefined
      dispatch.acknowledged = status !== undefined && status >= 200 && status < 300
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
