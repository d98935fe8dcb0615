/**
 * Tells the merchant about payments. How the service does it is mostly unknown (specification, "Events"); here each
 * event is posted until somebody answers 2xx, at most six times, each pause twice the one before.
 */
import type {Clock} from '../contract/index.js'

/** Posts a webhook and answers with the status that came back. */
export type Deliver = (url: string, body: string, headers: Record<string, string>) => Promise<number>

/** How far the last event of a payment got, as its verification record shows it. */
export interface Dispatch {
  retries: number
  /** Somebody answered, whatever they said. */
  dispatched: boolean
  /** Somebody answered 2xx. */
  acknowledged: boolean
}

const MAX_RETRIES = 5
const FIRST_PAUSE = 1_000
const DEADLINE = 10_000

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
  #underWay = 0
  #idlers: (() => void)[] = []

  constructor(deliver: Deliver, clock: Clock, url?: string) {
    this.#deliver = deliver
    this.#clock = clock
    this.url = url
  }

  /** Begins at once. A newer event of the same payment ends the retries of the one before. */
  send(dispatch: Dispatch, body: string): void {
    const {url} = this
    if (url === undefined) return
    const event = Symbol('event')
    this.#current.set(dispatch, event)
    Object.assign(dispatch, {retries: 0, dispatched: false, acknowledged: false})
    void this.#run(url, body, dispatch, event)
  }

  /** Resolves when no webhook is on its way. One that waits for its next try is not. */
  idle(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise(resolve => this.#idlers.push(resolve))
  }

  async #run(url: string, body: string, dispatch: Dispatch, event: symbol): Promise<void> {
    for (let retry = 0; retry <= MAX_RETRIES; retry++) {
      if (retry > 0) await this.#clock.sleep(FIRST_PAUSE * 2 ** (retry - 1))
      if (this.#current.get(dispatch) !== event) return
      dispatch.retries = retry
      this.#underWay++
      const status = await this.#attempt(url, body)
      if (this.#current.get(dispatch) === event) {
        dispatch.dispatched ||= status !== undefined
        dispatch.acknowledged = status !== undefined && status >= 200 && status < 300
      }
      this.#underWay--
      if (this.#underWay === 0) for (const resolve of this.#idlers.splice(0)) resolve()
      if (dispatch.acknowledged) return
    }
  }

  /** The status, or undefined when nothing came back. */
  async #attempt(url: string, body: string): Promise<number | undefined> {
    const response = new AbortController()
    try {
      const timeout = this.#clock.sleep(DEADLINE, response.signal).then(() => undefined)
      return await Promise.race([this.#deliver(url, body, headers), timeout])
    } catch {
      return undefined
    } finally {
      response.abort()
    }
  }
}

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'crypto-checkout-sandbox',
}
