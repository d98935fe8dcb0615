/**
 * Calls of the payment service: one deadline for each, retries included. Reads are retried; `verifyPayment` is retried after a
 * refused connection. A second create would mint a second set of addresses, and a caller can repeat a convert.
 */
import * as z from 'zod/mini'
import {monotonic, type Clock} from '../../contract/index.js'
import {RequestNotSentError, type Transport, type TransportReply} from '../../http/index.js'
import {problemCodeOf, stopwatch, type Diagnostics, type ServiceMessage} from '../base/diagnostics.js'
import {createLogLimit, type Logger} from '../base/logger.js'
import type {ServiceTime} from '../base/service-time.js'
import {ServiceError, type Operation} from '../errors.js'
import {parseLossless} from './parse-lossless.js'

export interface ServiceSettings {
  apiKey: string
  /** `https`, or `http` on loopback, without credentials. */
  baseUrl: string
  transport: Transport
  /** The specification defines convert as GET with a JSON body. POST is for services that accept it. */
  convertMethod?: 'GET' | 'POST'
  /** Milliseconds for a call, retries included. Default 10,000. */
  timeout?: number
}

/** What calls need of the context. */
export interface CallContext {
  readonly clock: Clock
  readonly time: ServiceTime
  readonly logger: Logger
  readonly diagnostics: Diagnostics
  /** From 0 up to 1. */
  readonly random: () => number
}

const MAX_RESPONSE_BYTES = 1_000_000
const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000

const READS: ReadonlySet<Operation> = new Set(['getCharge', 'getCryptoCharge'])

export interface Call<Schema extends z.ZodMiniType> {
  operation: Operation
  method: 'GET' | 'POST'
  /** Below `/api/v1/pay/`. */
  path: string
  schema: Schema
  body?: unknown
  timeoutMs?: number
}

export class ServiceCalls {
  readonly #isNews: (cause: string) => boolean

  constructor(
    readonly context: CallContext,
    readonly settings: Required<ServiceSettings>,
  ) {
    this.#isNews = createLogLimit(context.clock)
  }

  async call<Schema extends z.ZodMiniType>(call: Call<Schema>): Promise<z.infer<Schema>> {
    const {operation} = call
    const {clock, diagnostics} = this.context
    const durationOf = stopwatch(clock)
    const publish = (fields: Pick<ServiceMessage, 'status' | 'outcome' | 'code'>) =>
      diagnostics.publish({type: 'service', operation, ...fields, durationMs: durationOf()})
    try {
      const reply = await this.#exchange(call)
      // An unreadable response is a failed call.
      const value = this.#read(call, reply)
      publish({status: reply.status, outcome: 'ok'})
      return value
    } catch (error) {
      const {upstreamStatus: status, outcome} =
        error instanceof ServiceError ? error : {outcome: 'none' as const}
      publish({status, outcome, code: problemCodeOf(error)})
      throw error
    }
  }

  async #exchange(call: Call<z.ZodMiniType>): Promise<TransportReply> {
    const {clock} = this.context
    const deadline = new AbortController()
    const timer = clock
      .sleep(call.timeoutMs ?? this.settings.timeout, deadline.signal)
      .then(() => deadline.abort('timeout'))
    try {
      for (let count = 1; ; count++) {
        try {
          return await this.#attempt(call, deadline.signal)
        } catch (error) {
          const pause = this.#pauseAfter(error, count, call.operation)
          if (pause === undefined) throw error
          await clock.sleep(pause, deadline.signal)
          if (deadline.signal.aborted) throw error
        }
      }
    } finally {
      // With a reason, because the default one is an exception with a stack, which costs more than parsing.
      deadline.abort('done')
      await timer
    }
  }

  /** Milliseconds until the next attempt (exponential, full jitter), or undefined for the last one. */
  #pauseAfter(error: unknown, attempt: number, operation: Operation): number | undefined {
    if (!(error instanceof ServiceError) || error.code !== 'upstream_unavailable') return undefined
    const isNotSent = error.outcome === 'none' && error.upstreamStatus === undefined
    const isRepeatable = READS.has(operation) || (operation === 'verifyPayment' && isNotSent)
    if (attempt >= MAX_ATTEMPTS || !isRepeatable) return undefined
    const retryAfterMs = (error.retryAfter ?? 0) * 1000
    if (retryAfterMs > MAX_PAUSE_MS) return undefined
    return Math.max(retryAfterMs, this.context.random() * FIRST_PAUSE_MS * 2 ** attempt)
  }

  async #attempt(
    {operation, method, path, body, timeoutMs = this.settings.timeout}: Call<z.ZodMiniType>,
    signal: AbortSignal,
  ): Promise<TransportReply> {
    const {clock, time} = this.context
    const {apiKey, baseUrl, transport} = this.settings
    const lostOutcome = outcomeIfLost(operation)
    let reply: TransportReply
    const sentAt = monotonic(clock)
    const sentOn = clock.now()
    try {
      reply = await transport({
        method,
        url: `${baseUrl}/api/v1/pay/${path}`,
        headers: {
          'api-key': apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : {'content-type': 'application/json; charset=utf-8'}),
        },
        ...(body === undefined ? {} : {body: JSON.stringify(body)}),
        signal,
        maxBytes: MAX_RESPONSE_BYTES,
      })
    } catch (error) {
      if (signal.aborted) throw new ServiceError(operation, 'upstream_timeout', {outcome: lostOutcome})
      const outcome = error instanceof RequestNotSentError ? 'none' : lostOutcome
      throw new ServiceError(operation, 'upstream_unavailable', {outcome})
    }
    // The machine was suspended during the call, so a response to a read is out of date. The wall clock goes on meanwhile.
    const tookMs = READS.has(operation) ? clock.now() - sentOn : 0
    if (Math.max(monotonic(clock) - sentAt, tookMs) > timeoutMs)
      throw new ServiceError(operation, 'upstream_timeout', {outcome: lostOutcome})
    time.observe(reply.headers['date'], sentAt)
    if (reply.status < 200 || reply.status > 299)
      throw toServiceError(operation, reply, lostOutcome, time.now())
    return reply
  }

  #read<Schema extends z.ZodMiniType>(
    {operation, schema}: Call<Schema>,
    {status, body}: TransportReply,
  ): z.infer<Schema> {
    const json = parseJson(body)
    const {success, data, error} = z.safeParse(schema, json)
    if (!success) {
      // Without the messages, which may hold parts of the response (invariant 6).
      const fields = [...new Set(error.issues.map(({path}) => path.join('.')))].join(', ')
      // What is no JSON is not from the service, and whoever called says so.
      if (json !== undefined && this.#isNews(`${operation} ${status} ${fields}`))
        this.context.logger.warn('a response cannot be read', {
          operation,
          upstreamStatus: status,
          fields,
          hint: CHANGED,
        })
      const outcome = outcomeIfLost(operation)
      throw new ServiceError(operation, 'upstream_invalid', {upstreamStatus: status, outcome})
    }
    const skipped = countListed(json) - countListed(data)
    if (skipped > 0 && this.#isNews(`${operation} skipped`))
      this.context.logger.warn('skipped unreadable items in a response', {operation, skipped, hint: CHANGED})
    return data
  }
}

/** A call that changes something may have done so although its response was lost. */
function outcomeIfLost(operation: Operation): 'unknown' | 'none' {
  return READS.has(operation) ? 'none' : 'unknown'
}

const CHANGED = 'the payment service may have changed its responses: update crypto-checkout, or check baseUrl'

/** Returns undefined for anything that is not JSON. */
function parseJson(body: string): unknown {
  try {
    return parseLossless(body)
  } catch {
    return undefined
  }
}

const networksSchema = z.catch(z.object({networks: z.array(z.unknown())}), {networks: []})
const listsSchema = z.object({wallet: z.object({addresses: z.array(networksSchema)})})

/** The number of assets and of their networks. The schema drops unreadable ones. */
function countListed(response: unknown): number {
  const assets = z.safeParse(listsSchema, response).data?.wallet.addresses ?? []
  return assets.reduce((count, {networks}) => count + 1 + networks.length, 0)
}

function toServiceError(
  operation: Operation,
  {status, headers}: TransportReply,
  lostOutcome: 'none' | 'unknown',
  now: number,
): ServiceError {
  const retryAfter = readRetryAfter(headers['retry-after'], now)
  const details = {upstreamStatus: status, ...(retryAfter === undefined ? {} : {retryAfter})}
  if (status === 429)
    return new ServiceError(operation, 'upstream_unavailable', {...details, outcome: 'none'})
  if (status >= 500)
    return new ServiceError(operation, 'upstream_unavailable', {...details, outcome: lostOutcome})
  if (status === 404 && (operation === 'getCharge' || operation === 'createCryptoCharge'))
    return new ServiceError(operation, 'charge_not_found', {...details, outcome: 'none'})
  const outcome = status >= 400 ? 'none' : lostOutcome
  return new ServiceError(operation, 'upstream_rejected', {...details, outcome})
}

/** Seconds, from either form of `Retry-After` (RFC 9110, section 10.2.3); at most an hour. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 3600) : undefined
}
