/** The service's six endpoints, each with room for a fault before and after its effect. */
import * as z from 'zod/mini'
import {chargeRequestSchema, convertRequestSchema, type Clock} from '../contract/index.js'
import {
  BodyReadError,
  BodyTooLargeError,
  ConnectionDroppedError,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from '../http/index.js'
import {corrupt, type Faults, type ActiveFault} from './faults.js'
import {formatIssues, InvalidInputError} from './invalid-input-error.js'
import type {Ledger} from './ledger.js'
import {matchRoute, type Operation, type Route} from './operations.js'
import {errorReply, textReply} from './reply.js'
import {createdCharge, createdCryptoCharge, readCharge, readCryptoCharge, verification} from './responses.js'

const MAX_BODY = 1_000_000

export interface ServiceOptions {
  readonly apiKey: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly clock: Clock
  /** Counted up, whatever comes of the call. */
  readonly calls: Record<Operation, number>
  readonly baseUrl: () => string
  readonly newAddress: (network: string) => string
}

/** Answers everything below `/api/`; anything else is not the service's. */
export function createService(options: ServiceOptions): HttpHandler {
  const {apiKey, faults, calls, clock} = options

  return async request => {
    if (!request.path.startsWith('/api/')) return undefined
    const route = matchRoute(request.method, request.path)
    if (!route) return errorReply(404, 'no such path')
    if ('allow' in route) return errorReply(405, 'method not allowed', {allow: route.allow})
    calls[route.operation]++
    if (request.headers['api-key'] !== apiKey)
      return errorReply(401, 'the api-key header is missing or wrong')
    const strike = faults.consume(route.operation)
    const struck = strike && (await before(strike))
    return struck ?? (await perform(route, request, strike))
  }

  /** What the fault does before the operation has any effect. */
  async function before({fault, cleared}: ActiveFault): Promise<HttpReply | undefined> {
    switch (fault.kind) {
      case 'delay':
        await clock.sleep(fault.ms, cleared)
        return undefined
      case 'status':
        return errorReply(
          fault.status,
          'a fault was asked for',
          fault.retryAfter === undefined ? {} : {'retry-after': String(fault.retryAfter)},
        )
      case 'drop':
        throw new ConnectionDroppedError()
      case 'redirect':
        return errorReply(302, 'moved', {location: `${options.baseUrl()}/elsewhere`})
      default:
        return undefined
    }
  }

  async function perform(
    route: Route,
    request: HttpRequest,
    strike: ActiveFault | undefined,
  ): Promise<HttpReply> {
    let answer: unknown
    try {
      const sent = strike?.fault.kind === 'lostBody' ? '' : await request.body(MAX_BODY)
      answer = effect(options, route, request.headers['content-type'], sent)
    } catch (error) {
      if (error instanceof InvalidInputError) return errorReply(400, error.message)
      if (error instanceof BodyTooLargeError) return errorReply(413, error.message)
      if (error instanceof BodyReadError) return errorReply(408, error.message)
      throw error
    }
    if (answer === undefined) return errorReply(404, 'not found')
    return after(route.operation, answer, strike)
  }

  function after(operation: Operation, answer: unknown, strike: ActiveFault | undefined): HttpReply {
    if (!strike) return textReply(200, JSON.stringify(answer))
    if (strike.fault.kind === 'dropAfterEffect') throw new ConnectionDroppedError()
    if (strike.fault.kind === 'statusAfterEffect')
      return errorReply(strike.fault.status, 'a fault was asked for, after the effect')
    return textReply(200, corrupt(strike, operation, answer, options.newAddress))
  }
}

/** Does it, and says what to answer; undefined when there is no such charge or payment. */
function effect(
  {ledger, baseUrl}: ServiceOptions,
  {operation, id}: Route,
  contentType: string | undefined,
  body: string,
): unknown {
  switch (operation) {
    case 'createCharge':
      return createdCharge(
        ledger,
        ledger.createCharge(readJson(chargeRequestSchema, contentType, body), baseUrl()),
      )
    case 'getCharge': {
      const charge = ledger.charge(id)
      return charge && readCharge(ledger, charge)
    }
    case 'createCryptoCharge': {
      const charge = ledger.charge(id)
      return charge && createdCryptoCharge(ledger, ledger.createCryptoCharge(charge))
    }
    case 'convert': {
      const request = readJson(convertRequestSchema, contentType, body)
      return ledger.cryptoCharge(request._id) && ledger.convert(request)
    }
    case 'getCryptoCharge': {
      const cryptoCharge = ledger.cryptoCharge(id)
      return cryptoCharge && readCryptoCharge(ledger, cryptoCharge)
    }
    case 'verifyPayment': {
      const payment = ledger.payment(id)
      return payment && verification(ledger, payment)
    }
  }
}

/** A body without a JSON content type is not read, as common body parsers have it. */
function readJson<Schema extends z.ZodMiniType>(
  schema: Schema,
  contentType: string | undefined,
  body: string,
): z.infer<Schema> {
  if (body === '') throw new InvalidInputError('a JSON body is needed, and none came')
  if (!/^application\/json\b/i.test(contentType ?? ''))
    throw new InvalidInputError('a JSON body is needed, with content-type: application/json')
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new InvalidInputError('the body is not JSON')
  }
  const result = z.safeParse(schema, value)
  if (!result.success) throw new InvalidInputError(formatIssues(result.error))
  return result.data
}
