/** The sandbox's methods over HTTP, below `/sandbox/`: for demos, for other languages, and for a person with curl. */
import * as z from 'zod/mini'
import {
  BodyReadError,
  BodyTooLargeError,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from '../http/index.js'
import {faultTarget, faultSchema} from './faults.js'
import {formatIssues, InvalidInputError} from './invalid-input-error.js'
import {jsonReply, errorReply} from './reply.js'
import type {SandboxCore} from './sandbox.js'

const MAX_BODY = 16_000

const text = z.string().check(z.minLength(1))
const paySchema = z.strictObject({
  id: text,
  asset: text,
  network: text,
  amount: z.optional(text),
  confirmed: z.optional(z.boolean()),
  via: z.optional(text),
  address: z.optional(text),
})
const confirmSchema = z.strictObject({transactionId: text})
const chargeSchema = z.strictObject({id: text})
const clockSchema = z.strictObject({ms: z.number().check(z.int(), z.gte(0))})
const faultRequestSchema = z.strictObject({operation: faultTarget, fault: z.nullable(faultSchema)})
const priceSchema = z.strictObject({asset: text, usd: z.number()})
const disableSchema = z.strictObject({
  asset: text,
  network: z.optional(text),
  disabled: z._default(z.boolean(), true),
})
const webhookSchema = z.strictObject({url: z.nullable(z.url())})
const nothingSchema = z.strictObject({})

const howTo = {
  service: 'the payment service, pretended: no money, everything in memory',
  'GET /sandbox/charges': 'every charge, with its addresses, payments and lost payments',
  'GET /sandbox/charges/{id}': 'one of them, by its own id or by that of a crypto charge',
  'POST /sandbox/pay': {
    id: 'a charge or a crypto charge',
    asset: '825, or USDT',
    network: 'bsc',
    amount: 'exact (default), less, more, part, or a decimal as text',
    confirmed: 'true (default), or false to confirm it later',
    via: 'the network really used, when that is the wrong one',
    address: 'the address really used, when that may be the wrong one',
  },
  'POST /sandbox/confirm': {transactionId: 'as pay answered'},
  'POST /sandbox/expire': {id: 'a charge or a crypto charge'},
  'POST /sandbox/cancel': {id: 'a charge or a crypto charge'},
  'POST /sandbox/clock': {ms: 'milliseconds to move the clock forward'},
  'POST /sandbox/fault': {
    operation: faultTarget.options.join(', '),
    fault: {kind: faultSchema.def.options.flatMap(({def}) => def.shape.kind.def.values).join(', '), times: 1},
  },
  'POST /sandbox/clear-faults': {},
  'POST /sandbox/price': {asset: '1027', usd: 3000},
  'POST /sandbox/disable': {asset: '825', network: 'bsc (default: all)', disabled: true},
  'POST /sandbox/webhook': {url: 'where webhooks go, or null'},
}

type Action = (body: unknown) => unknown

export function createControl(sandbox: SandboxCore): HttpHandler {
  const actions: Readonly<Record<string, Action>> = {
    pay: action(paySchema, ({id, ...request}) => sandbox.pay(id, request)),
    confirm: action(confirmSchema, ({transactionId}) => sandbox.confirm(transactionId)),
    expire: action(chargeSchema, ({id}) => sandbox.expire(id)),
    cancel: action(chargeSchema, ({id}) => sandbox.cancel(id)),
    clock: action(clockSchema, ({ms}) => sandbox.moveClock(ms)),
    fault: action(faultRequestSchema, ({operation, fault}) => sandbox.fault(operation, fault)),
    'clear-faults': action(nothingSchema, () => sandbox.clearFaults()),
    price: action(priceSchema, ({asset, usd}) => sandbox.setPrice(asset, usd)),
    disable: action(disableSchema, ({asset, network, disabled}) =>
      sandbox.setDisabled(asset, network, disabled),
    ),
    webhook: action(webhookSchema, ({url}) => void (sandbox.webhookUrl = url ?? undefined)),
  }

  return async request => {
    const path = request.path === '/sandbox' ? '/sandbox/' : request.path
    if (!path.startsWith('/sandbox/')) return undefined
    const name = path.slice('/sandbox/'.length)
    const act = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (act) return request.method === 'POST' ? perform(act, request) : notAllowed('POST')
    const view = look(name)
    if (view === undefined) return errorReply(404, 'no such path or charge; GET /sandbox/ says what there is')
    return request.method === 'GET' ? jsonReply(200, view) : notAllowed('GET')
  }

  function look(name: string): unknown {
    if (name === '') return {...howTo, now: new Date(sandbox.clock.now()).toISOString(), calls: sandbox.calls}
    if (name === 'charges') return sandbox.charges
    return name.startsWith('charges/') ? sandbox.charge(name.slice('charges/'.length)) : undefined
  }
}

function action<Schema extends z.ZodMiniType>(
  schema: Schema,
  act: (request: z.infer<Schema>) => unknown,
): Action {
  return body => {
    const result = z.safeParse(schema, body)
    if (!result.success) throw new InvalidInputError(formatIssues(result.error))
    return act(result.data)
  }
}

async function perform(act: Action, request: HttpRequest): Promise<HttpReply> {
  try {
    const answer = act(parse(await request.body(MAX_BODY)))
    return jsonReply(200, answer ?? {ok: true})
  } catch (error) {
    if (error instanceof InvalidInputError) return errorReply(400, error.message)
    if (error instanceof BodyTooLargeError) return errorReply(413, error.message)
    if (error instanceof BodyReadError) return errorReply(408, error.message)
    throw error
  }
}

/** Whatever its content type: this is for people with curl. */
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
