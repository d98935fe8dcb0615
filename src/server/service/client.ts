/** The payment service's six operations, typed (specification, "Endpoints"). Responses are parsed by schema, and amounts are decimal text. */
import * as z from 'zod/mini'
import {
  chargeInputSchema,
  chargeSchema,
  convertResponseSchema,
  convertRequestSchema,
  cryptoChargeSchema,
  decimal,
  toTrimmedText,
  verificationSchema,
  type Charge,
  type ChargeInput,
  type ChargeRequest,
  type Clock,
  type ConvertResponse,
  type ConvertRequest,
  type CryptoCharge,
  type Verification,
} from '../../contract/index.js'
import {localPrice} from '../checkout/money.js'
import {noDiagnostics} from '../base/diagnostics.js'
import type {Logger} from '../base/logger.js'
import {InvalidRequestError} from '../errors.js'
import {ServiceTime} from '../base/service-time.js'
import {parseServiceOptions} from '../base/option-parser.js'
import {ServiceCalls, type CallContext, type ServiceSettings} from './calls.js'

export interface ServiceClientOptions extends Omit<ServiceSettings, 'apiKey' | 'baseUrl'> {
  /** Required, as `baseUrl`. Undefined is the type of a variable of `process.env`. */
  apiKey: string | undefined
  baseUrl: string | undefined
  clock?: Clock
  /** From 0 up to 1; spreads the retries. */
  random?: () => number
  logger?: Logger
}

/** All reject with `ServiceError`, or with `InvalidRequestError` when nothing was sent. */
export interface ServiceClient {
  /** `billing.amount` is sent as decimal text with the places of the currency: `49.9` USD as `49.90`. */
  createCharge(request: ChargeInput): Promise<Charge>
  getCharge(chargeId: string): Promise<Charge>
  /** Never retried. After an error with `outcome: 'unknown'` the service may have minted. */
  createCryptoCharge(chargeId: string): Promise<CryptoCharge>
  /** Also activates the address of this asset and network. */
  convert(request: ConvertRequest): Promise<ConvertResponse>
  getCryptoCharge(cryptoChargeId: string): Promise<CryptoCharge>
  verifyPayment(paymentId: string): Promise<Verification>
}

const MINT_TIMEOUT_MS = 15_000

/** The client of a merchant who calls the service without a proxy. Throws `ConfigurationError`. */
export function createServiceClient(
  options: ServiceClientOptions,
  diagnostics = noDiagnostics,
  sharedTime?: ServiceTime,
): ServiceClient {
  const {clock, random, logger, ...settings} = parseServiceOptions(options)
  const time = sharedTime ?? new ServiceTime(clock, logger)
  return createClient({clock, random, logger, diagnostics, time}, settings)
}

export function createClient(base: CallContext, settings: Required<ServiceSettings>): ServiceClient {
  const calls = new ServiceCalls(base, settings)
  const {convertMethod} = settings
  return {
    createCharge: async request => {
      const body = withCanonicalAmount(validate(chargeInputSchema, request))
      return calls.call({
        operation: 'createCharge',
        method: 'POST',
        path: 'charge',
        schema: chargeSchema,
        body,
      })
    },
    getCharge(chargeId) {
      const path = `charge/${encodeURIComponent(chargeId)}`
      return calls.call({operation: 'getCharge', method: 'GET', path, schema: chargeSchema})
    },
    createCryptoCharge(chargeId) {
      const path = `crypto/${encodeURIComponent(chargeId)}`
      const timeoutMs = MINT_TIMEOUT_MS
      return calls.call({
        operation: 'createCryptoCharge',
        method: 'POST',
        path,
        schema: cryptoChargeSchema,
        timeoutMs,
      })
    },
    convert: async request => {
      const [path, body] = ['crypto/convert', validate(convertRequestSchema, request)]
      return calls.call({
        operation: 'convert',
        method: convertMethod,
        path,
        schema: convertResponseSchema,
        body,
      })
    },
    getCryptoCharge(cryptoChargeId) {
      const path = `crypto/${encodeURIComponent(cryptoChargeId)}`
      return calls.call({operation: 'getCryptoCharge', method: 'GET', path, schema: cryptoChargeSchema})
    },
    verifyPayment(paymentId) {
      const path = `crypto/payment/${encodeURIComponent(paymentId)}`
      return calls.call({operation: 'verifyPayment', method: 'POST', path, schema: verificationSchema})
    },
  }
}

function validate<Schema extends z.ZodMiniType>(schema: Schema, request: unknown): z.infer<Schema> {
  const {success, data, error} = z.safeParse(schema, request)
  if (success) return data
  throw new InvalidRequestError([...new Set(error.issues.map(({path}) => path.join('.')))].join(', '))
}

function withCanonicalAmount({billing, ...request}: z.infer<typeof chargeInputSchema>): ChargeRequest {
  const amount = toTrimmedText(decimal(billing.amount))
  return {...request, billing: {...billing, amount: localPrice(amount, billing.currency).amount}}
}
