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

const MAX_RETRIES = 5
const FIRST_PAUSE_MS = 1_000
const TIMEOUT_MS = 10_000

export const deliverByFetch: Deliver = async (url, body, headers) => {
  const response = await fetch(url, {method: 'POST', body, headers, redirect: 'manual'})
  await response.body?.cancel()
  return response.status
}

export class Webhooks {
  url: string | undefined
  readonly #deliver: Deliver
  readonly #clock: Clock
  readonly #current = new WeakMap<Dispatch, symbol>()
  #inFlight = 0
  #idleWaiters: (() => void)[] = []

  constructor(deliver: Deliver, clock: Clock, url?: string) {
    this.#deliver = deliver
    this.#clock = clock
    this.url = url
  }

  /** Starts at once. A newer event of the same payment ends the retries of an earlier one. */
  send(dispatch: Dispatch, {contentType, body}: WebhookMessage): void {
    const {url} = this
    if (url === undefined) return
    const event = Symbol('event')
    this.#current.set(dispatch, event)
    Object.assign(dispatch, {retries: 0, dispatched: false, acknowledged: false})
    const headers = {'content-type': contentType, 'user-agent': 'crypto-checkout-sandbox'}
    void this.#run(dispatch, event, () => this.#deliver(url, body, headers))
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise(resolve => this.#idleWaiters.push(resolve))
  }

  async #run(dispatch: Dispatch, event: symbol, deliver: () => Promise<number>): Promise<void> {
    for (let retry = 0; retry <= MAX_RETRIES; retry++) {
      if (retry > 0) await this.#clock.sleep(FIRST_PAUSE_MS * 2 ** (retry - 1))
      if (this.#current.get(dispatch) !== event) return
      dispatch.retries = retry
      this.#inFlight++
      const status = await this.#attempt(deliver)
      if (this.#current.get(dispatch) === event) {
        dispatch.dispatched ||= status !== undefined
        dispatch.acknowledged = status !== undefined && status >= 200 && status < 300
      }
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
