/** The sandbox's methods over HTTP, below `/sandbox/`: for demos, other languages and curl. */
import * as z from 'zod/mini'
import type {HttpHandler, HttpReply, HttpRequest} from '../http/index.js'
import {statusValueSchema} from '../contract/index.js'
import {faultTarget, faultSchema} from './faults.js'
import {InvalidInputError, parseInput} from './invalid-input-error.js'
import {jsonReply, errorReply, replyToError} from './reply.js'
import {elsewhereFields, payFields, text, transactionFields} from './requests.js'
import type {Simulation} from './simulation.js'
import {webhookFormats} from './webhook-formats.js'

const MAX_BODY_BYTES = 16_000

const chargeId = 'the id of a charge or a crypto charge'
const flag = z._default(z.boolean(), true)

interface Action {
  /** Describes the fields. */
  readonly help: unknown
  perform(body: unknown): unknown
}

function action<Shape extends z.core.$ZodShape>(
  shape: Shape,
  help: Readonly<Record<keyof Shape, unknown>>,
  perform: (request: z.infer<z.ZodMiniObject<Shape>>) => unknown,
): Action {
  const schema = z.strictObject(shape)
  return {help, perform: body => perform(parseInput(schema, body))}
}

function createActions(sandbox: Simulation): Readonly<Record<string, Action>> {
  const ofCharge = (act: (id: string) => void) => action({id: text}, {id: chargeId}, ({id}) => act(id))
  const ofPayment = (help: string, act: (transactionId: string) => void) =>
    action({transactionId: text}, {transactionId: help}, ({transactionId}) => act(transactionId))
  return {
    pay: action(
      {id: z.optional(text), ...payFields},
      {
        id: `${chargeId}; without it, the newest charge`,
        asset: '825, or USDT',
        network: 'bsc',
        amount: 'exact (default), less, more, part, or a decimal string',
        confirmed: 'true (default), or false to confirm it later',
        via: 'the network actually used, to simulate a payment on the wrong one',
        address: 'the address actually used, to simulate a payment to the wrong one',
      },
      ({id = sandbox.charges.at(-1)?.id ?? '', ...request}) => sandbox.pay(id, request),
    ),
    transact: action(
      transactionFields,
      {
        network: 'the network that the browser wallet is on',
        to: 'the address that the transaction is sent to: a deposit address, or the contract of a token',
        value: 'base units of the network’s coin, in hexadecimal',
        data: 'the call of a token’s transfer, in hexadecimal',
      },
      request => sandbox.transact(request),
    ),
    'pay-elsewhere': action(
      {id: text, ...elsewhereFields},
      {
        id: `${chargeId}, which is paid on the hosted page`,
        amount: 'as for pay',
        confirmed: true,
        listed: 'true if reads of the charge have its payments; default false',
      },
      ({id, ...request}) => sandbox.payElsewhere(id, request),
    ),
    confirm: ofPayment('from the response of pay', id => sandbox.confirm(id)),
    'fail-payment': ofPayment('of an unconfirmed payment', id => sandbox.failPayment(id)),
    'drop-payment': ofPayment('of an unconfirmed payment, which is no longer listed', id =>
      sandbox.dropPayment(id),
    ),
    status: action(
      {id: text, status: z.nullable(statusValueSchema)},
      {id: 'the id of a charge', status: 'paid, unpaid, overpaid, underpaid, or null'},
      ({id, status}) => sandbox.setStatus(id, status),
    ),
    forget: action(
      {id: text, forgotten: flag},
      {id: 'the id of a charge, for which the service replies with 404', forgotten: true},
      ({id, forgotten}) => sandbox.forget(id, forgotten),
    ),
    expire: ofCharge(id => sandbox.expire(id)),
    cancel: ofCharge(id => sandbox.cancel(id)),
    clock: action(
      {ms: z.number().check(z.int(), z.gte(0))},
      {ms: 'milliseconds to advance the clock'},
      ({ms}) => sandbox.moveClock(ms),
    ),
    fault: action(
      {operation: faultTarget, fault: z.nullable(faultSchema)},
      {
        operation: faultTarget.options.join(', '),
        fault: {
          kind: faultSchema.def.options.flatMap(({def}) => def.shape.kind.def.values).join(', '),
          times: 1,
        },
      },
      ({operation, fault}) => sandbox.fault(operation, fault),
    ),
    'clear-faults': action({}, {}, () => sandbox.clearFaults()),
    price: action({asset: text, usd: z.number()}, {asset: '1027', usd: 3000}, ({asset, usd}) =>
      sandbox.setPrice(asset, usd),
    ),
    disable: action(
      {asset: text, network: z.optional(text), disabled: flag},
      {asset: '825', network: 'bsc (default: all)', disabled: true},
      ({asset, network, disabled}) => sandbox.setDisabled(asset, network, disabled),
    ),
    webhook: action(
      {url: z.optional(z.nullable(z.url())), format: z.optional(z.enum(webhookFormats))},
      {url: 'the webhook URL, or null', format: webhookFormats.join(', ')},
      ({url, format}) => {
        if (url !== undefined) sandbox.webhookUrl = url ?? undefined
        if (format) sandbox.webhookFormat = format
      },
    ),
  }
}

export function createControl(sandbox: Simulation): HttpHandler {
  const actions = createActions(sandbox)
  const help = {
    service: 'a simulated payment service: no real money',
    'GET /sandbox/charges': 'all charges, with their addresses, payments and lost payments',
    'GET /sandbox/charges/{id}': 'one charge, by its id or the id of one of its crypto charges',
    'GET /sandbox/tokens': 'the coins and tokens that a browser wallet can send',
    ...Object.fromEntries(Object.entries(actions).map(([name, {help}]) => [`POST /sandbox/${name}`, help])),
  }

  return async request => {
    const path = request.path === '/sandbox' ? '/sandbox/' : request.path
    if (!path.startsWith('/sandbox/')) return undefined
    const name = path.slice('/sandbox/'.length)
    const act = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (act) return request.method === 'POST' ? perform(act, request) : notAllowed('POST')
    const view = viewOf(name)
    if (view === undefined) return errorReply(404, 'no such path or charge; GET /sandbox/ lists the paths')
    return request.method === 'GET' ? jsonReply(200, view) : notAllowed('GET')
  }

  function viewOf(name: string): unknown {
    if (name === '') return {...help, now: new Date(sandbox.clock.now()).toISOString(), calls: sandbox.calls}
    if (name === 'charges') return sandbox.charges
    if (name === 'tokens') return sandbox.tokens
    return name.startsWith('charges/') ? sandbox.charge(name.slice('charges/'.length)) : undefined
  }
}

async function perform(action: Action, request: HttpRequest): Promise<HttpReply> {
  try {
    const result = action.perform(parse(await request.body(MAX_BODY_BYTES)))
    return jsonReply(200, result ?? {ok: true})
  } catch (error) {
    return replyToError(error)
  }
}

/** Ignores the content type, which curl sets to a form by default. */
function parse(body: string): unknown {
  if (body.trim() === '') return {}
  try {
    return JSON.parse(body)
  } catch {
    throw new InvalidInputError('the body is not JSON')
  }
}

function notAllowed(allow: string): HttpReply {
  return errorReply(405, 'method not allowed', {allow})
}
