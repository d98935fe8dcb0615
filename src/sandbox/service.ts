/** The six endpoints of the service. A fault can apply before or after the effect of each. */
import type * as z from 'zod/mini'
import {chargeRequestSchema, convertRequestSchema, type Clock} from '../contract/index.js'
import {ConnectionDroppedError, type HttpHandler, type HttpReply, type HttpRequest} from '../http/index.js'
import {corrupt, type Faults, type ActiveFault} from './faults.js'
import {InvalidInputError, parseInput} from './invalid-input-error.js'
import type {Ledger} from './ledger.js'
import {matchRoute, type Operation, type Route} from './operations.js'
import {errorReply, replyToError, textReply} from './reply.js'
import {createdCharge, readCharge, readCryptoCharge, verification} from './responses.js'

const MAX_BODY_BYTES = 1_000_000

export interface ServiceOptions {
  readonly apiKey: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly clock: Clock
  /** Counts all calls, including failed ones. */
  readonly calls: Record<Operation, number>
  readonly baseUrl: () => string
  readonly newAddress: (network: string) => string
}

/** Serves the paths below `/api/`. */
export function createService(options: ServiceOptions): HttpHandler {
  const {apiKey, faults, calls, clock} = options

  return async request => {
    if (!request.path.startsWith('/api/')) return undefined
    const {headers, ...reply} = await respond(request)
    return {...reply, headers: {...dateHeader(), ...headers}}
  }

  function dateHeader(active?: ActiveFault): {date: string} {
    const aheadMs = active?.fault.kind === 'wrongDate' ? active.fault.ms : 0
    return {date: new Date(clock.now() + aheadMs).toUTCString()}
  }

  async function respond(request: HttpRequest): Promise<HttpReply> {
    const route = matchRoute(request.method, request.path)
    if (!route) return errorReply(404, 'no such path')
    if ('allow' in route) return errorReply(405, 'method not allowed', {allow: route.allow})
    calls[route.operation]++
    if (request.headers['api-key'] !== apiKey)
      return errorReply(401, 'the api-key header is missing or wrong')
    const active = faults.consume(route.operation)
    const reply = active && (await beforeEffect(active))
    return reply ?? (await perform(route, request, active))
  }

  async function beforeEffect({fault, cleared}: ActiveFault): Promise<HttpReply | undefined> {
    switch (fault.kind) {
      case 'delay':
        await clock.sleep(fault.ms, cleared)
        return undefined
      case 'status':
        return errorReply(
          fault.status,
          'a simulated fault',
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
    active: ActiveFault | undefined,
  ): Promise<HttpReply> {
    let result: unknown
    try {
      const body = active?.fault.kind === 'lostBody' ? '' : await request.body(MAX_BODY_BYTES)
      result = applyOperation(options, route, request.headers['content-type'], body)
    } catch (error) {
      return replyToError(error)
    }
    if (result === undefined) return errorReply(404, 'not found', dateHeader(active))
    return afterEffect(route.operation, result, active)
  }

  function afterEffect(operation: Operation, result: unknown, active: ActiveFault | undefined): HttpReply {
    if (!active) return textReply(200, JSON.stringify(result))
    if (active.fault.kind === 'dropAfterEffect') throw new ConnectionDroppedError()
    if (active.fault.kind === 'statusAfterEffect')
      return errorReply(active.fault.status, 'a simulated fault after the effect')
    return textReply(200, corrupt(active, operation, result, options.newAddress), dateHeader(active))
  }
}

/** Returns the response body, or `undefined` if there is no such charge or payment. */
function applyOperation(
  {ledger, baseUrl}: ServiceOptions,
  {operation, id}: Route,
  contentType: string | undefined,
  body: string,
): unknown {
  switch (operation) {
    case 'createCharge': {
      const charge = ledger.createCharge(readJson(chargeRequestSchema, contentType, body))
      return createdCharge(ledger, charge, baseUrl())
    }
    case 'getCharge': {
      const charge = ledger.charge(id)
      return charge && readCharge(ledger, charge)
    }
    case 'createCryptoCharge': {
      const charge = ledger.charge(id)
      return charge && readCryptoCharge(ledger, ledger.createCryptoCharge(charge), {})
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

/** Requires a JSON content type, like common body parsers. */
function readJson<Schema extends z.ZodMiniType>(
  schema: Schema,
  contentType: string | undefined,
  body: string,
): z.infer<Schema> {
  if (body === '') throw new InvalidInputError('a JSON body is required, and the body is empty')
  if (!/^application\/json\b/i.test(contentType ?? ''))
    throw new InvalidInputError('a JSON body is required, with content-type: application/json')
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new InvalidInputError('the body is not JSON')
  }
  return parseInput(schema, value)
}
