/** The sandbox's methods over HTTP, below `/sandbox/`: for demos, other languages and curl. */
import * as z from 'zod/mini'
import {
  BodyReadError,
  BodyTooLargeError,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from '../http/index.js'
import {statusValueSchema, type Clock, type StatusValue} from '../contract/index.js'
import {faultTarget, faultSchema, type Fault} from './faults.js'
import {formatIssues, InvalidInputError} from './invalid-input-error.js'
import {jsonReply, errorReply} from './reply.js'
import type {ElsewhereRequest, PayRequest} from './ledger.js'
import type {Operation} from './operations.js'
import type {TransactionRequest} from './transaction.js'
import {webhookFormats, type WebhookFormat} from './webhook-formats.js'

const MAX_BODY_BYTES = 16_000

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
const elsewhereSchema = z.strictObject({
  id: text,
  amount: z.optional(text),
  confirmed: z.optional(z.boolean()),
  listed: z.optional(z.boolean()),
})
const transactionSchema = z.strictObject({transactionId: text})
const hexadecimal = z.string().check(z.regex(/^0x[\da-f]*$/i))
const transactSchema = z.strictObject({
  network: text,
  to: hexadecimal,
  value: z.optional(hexadecimal),
  data: z.optional(hexadecimal),
})
const chargeSchema = z.strictObject({id: text})
const clockSchema = z.strictObject({ms: z.number().check(z.int(), z.gte(0))})
const faultRequestSchema = z.strictObject({operation: faultTarget, fault: z.nullable(faultSchema)})
const priceSchema = z.strictObject({asset: text, usd: z.number()})
const disableSchema = z.strictObject({
  asset: text,
  network: z.optional(text),
  disabled: z._default(z.boolean(), true),
})
const statusSchema = z.strictObject({id: text, status: z.nullable(statusValueSchema)})
const forgetSchema = z.strictObject({id: text, forgotten: z._default(z.boolean(), true)})
const webhookSchema = z.strictObject({
  url: z.optional(z.nullable(z.url())),
  format: z.optional(z.enum(webhookFormats)),
})
const emptySchema = z.strictObject({})

const help = {
  service: 'a simulated payment service: no real money, all data in memory',
  'GET /sandbox/charges': 'all charges, with their addresses, payments and lost payments',
  'GET /sandbox/charges/{id}': 'one charge, by its id or the id of one of its crypto charges',
  'POST /sandbox/pay': {
    id: 'the id of a charge or a crypto charge',
    asset: '825, or USDT',
    network: 'bsc',
    amount: 'exact (default), less, more, part, or a decimal string',
    confirmed: 'true (default), or false to confirm it later',
    via: 'the network actually used, to simulate a payment on the wrong one',
    address: 'the address actually used, to simulate a payment to the wrong one',
  },
  'GET /sandbox/tokens': 'the coins and tokens that a browser wallet can send',
  'POST /sandbox/transact': {
    network: 'the network that the browser wallet is on',
    to: 'the address that the transaction is sent to: a deposit address, or the contract of a token',
    value: 'base units of the network’s coin, in hexadecimal',
    data: 'the call of a token’s transfer, in hexadecimal',
  },
  'POST /sandbox/pay-elsewhere': {
    id: 'the id of a charge or a crypto charge, which is paid on the hosted page',
    amount: 'as for pay',
    confirmed: true,
    listed: 'true if reads of the charge have its payments; default false',
  },
  'POST /sandbox/confirm': {transactionId: 'from the response of pay'},
  'POST /sandbox/fail-payment': {transactionId: 'of an unconfirmed payment'},
  'POST /sandbox/drop-payment': {transactionId: 'of an unconfirmed payment, which is no longer listed'},
  'POST /sandbox/status': {id: 'the id of a charge', status: 'paid, unpaid, overpaid, underpaid, or null'},
  'POST /sandbox/forget': {id: 'the id of a charge, for which the service replies with 404', forgotten: true},
  'POST /sandbox/expire': {id: 'the id of a charge or a crypto charge'},
  'POST /sandbox/cancel': {id: 'the id of a charge or a crypto charge'},
  'POST /sandbox/clock': {ms: 'milliseconds to advance the clock'},
  'POST /sandbox/fault': {
    operation: faultTarget.options.join(', '),
    fault: {kind: faultSchema.def.options.flatMap(({def}) => def.shape.kind.def.values).join(', '), times: 1},
  },
  'POST /sandbox/clear-faults': {},
  'POST /sandbox/price': {asset: '1027', usd: 3000},
  'POST /sandbox/disable': {asset: '825', network: 'bsc (default: all)', disabled: true},
  'POST /sandbox/webhook': {url: 'the webhook URL, or null', format: webhookFormats.join(', ')},
}

type Action = (body: unknown) => unknown

/** What the paths below `/sandbox/` read and call. */
interface ControlledSandbox {
  readonly clock: Clock
  readonly calls: unknown
  readonly charges: unknown
  webhookUrl: string | undefined
  webhookFormat: WebhookFormat
  charge(id: string): unknown
  pay(id: string, request: PayRequest): unknown
  transact(request: TransactionRequest): unknown
  readonly tokens: unknown
  payElsewhere(id: string, request: ElsewhereRequest): unknown
  confirm(transactionId: string): void
  failPayment(transactionId: string): void
  dropPayment(transactionId: string): void
  setStatus(id: string, status: StatusValue | null): void
  forget(id: string, forgotten: boolean): void
  expire(id: string): void
  cancel(id: string): void
  moveClock(milliseconds: number): void
  fault(operation: Operation | '*', fault: Fault | null): void
  clearFaults(): void
  setPrice(asset: string, usd: number): void
  setDisabled(asset: string, network?: string, disabled?: boolean): void
}

export function createControl(sandbox: ControlledSandbox): HttpHandler {
  const actions: Readonly<Record<string, Action>> = {
    pay: action(paySchema, ({id, ...request}) => sandbox.pay(id, request)),
    transact: action(transactSchema, request => sandbox.transact(request)),
    'pay-elsewhere': action(elsewhereSchema, ({id, ...request}) => sandbox.payElsewhere(id, request)),
    confirm: action(transactionSchema, ({transactionId}) => sandbox.confirm(transactionId)),
    'fail-payment': action(transactionSchema, ({transactionId}) => sandbox.failPayment(transactionId)),
    'drop-payment': action(transactionSchema, ({transactionId}) => sandbox.dropPayment(transactionId)),
    status: action(statusSchema, ({id, status}) => sandbox.setStatus(id, status)),
    forget: action(forgetSchema, ({id, forgotten}) => sandbox.forget(id, forgotten)),
    expire: action(chargeSchema, ({id}) => sandbox.expire(id)),
    cancel: action(chargeSchema, ({id}) => sandbox.cancel(id)),
    clock: action(clockSchema, ({ms}) => sandbox.moveClock(ms)),
    fault: action(faultRequestSchema, ({operation, fault}) => sandbox.fault(operation, fault)),
    'clear-faults': action(emptySchema, () => sandbox.clearFaults()),
    price: action(priceSchema, ({asset, usd}) => sandbox.setPrice(asset, usd)),
    disable: action(disableSchema, ({asset, network, disabled}) =>
      sandbox.setDisabled(asset, network, disabled),
    ),
    webhook: action(webhookSchema, ({url, format}) => {
      if (url !== undefined) sandbox.webhookUrl = url ?? undefined
      if (format) sandbox.webhookFormat = format
    }),
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
    const result = act(parse(await request.body(MAX_BODY_BYTES)))
    return jsonReply(200, result ?? {ok: true})
  } catch (error) {
    if (error instanceof InvalidInputError) return errorReply(400, error.message)
    if (error instanceof BodyTooLargeError) return errorReply(413, error.message)
    if (error instanceof BodyReadError) return errorReply(408, error.message)
    throw error
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
