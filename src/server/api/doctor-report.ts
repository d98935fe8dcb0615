/**
 * What `npx crypto-checkout doctor` learns from the running proxy. The request proves that it knows the api-key, and the
 * report has numbers, booleans and names of settings only: no address, no key, no name of a host. Without the proof nothing is reported.
 */
import * as z from 'zod/mini'
import type {HttpRequest} from '../../http/index.js'
import type {ServerContext} from '../context.js'
import {isOfAnotherService, type ServiceIdentity} from '../base/probe.js'
import {isValidToken, signToken} from './client-token.js'
import {clientAddress, rateLimitKey} from './client-address.js'

export const DOCTOR_HEADER = 'x-checkout-doctor'
/** A forged first entry of `X-Forwarded-For`. The address is reserved for documentation (RFC 5737). */
export const FORGED_ADDRESS = '192.0.2.1'
const TOKEN_SECONDS = 120

export const doctorReportSchema = z.object({
  /** The api-key is a test key. */
  test: z.boolean(),
  /** `tokenSecret` is set. */
  hasTokens: z.boolean(),
  /** The reverse proxies that added an entry to `X-Forwarded-For`. */
  proxies: z.number(),
  /** The option `trustProxy`. */
  trustProxy: z.number(),
  /** Whether the client's address is known, which the rate limits need. */
  hasAddress: z.boolean(),
  /** Whether the store of this process has the row that the doctor wrote. */
  hasProbe: z.boolean(),
  /** Whether the store was used with another api-key or service. */
  hasOtherService: z.boolean(),
  /** Whether the option `assets` leaves nothing of the first catalogue. */
  offersNothing: z.boolean(),
  /** The names of the settings that the store's client lacks. */
  missingSettings: z.array(z.string()),
})

export type DoctorReport = z.infer<typeof doctorReportSchema>

/** Not valid as the id of a charge, so that no client token is a proof, and no proof a client token. */
export function newProbeId(): string {
  return `.doctor-${crypto.randomUUID()}`
}

/** The row that the doctor writes: its value is the id of the probe. */
export const PROBE_KEY = 'doctor'
const PROBE_ID = /^\.doctor-[0-9a-f-]{36}$/

/** @param now milliseconds */
export function doctorProof(apiKey: string, probeId: string, now: number): string {
  return `${probeId} ${signToken(apiKey, probeId, Math.ceil(now / 1000) + TOKEN_SECONDS)}`
}

export interface DoctorReportOptions extends ServiceIdentity {
  readonly tokenSecret: string | undefined
  readonly trustedHops: number
  readonly missingSettings: readonly string[]
}

/** Resolves to undefined without a valid proof. */
export async function doctorReport(
  {test, time, store, offer}: ServerContext,
  {headers, ip}: HttpRequest,
  {apiKey, baseUrl, tokenSecret, trustedHops, missingSettings}: DoctorReportOptions,
): Promise<DoctorReport | undefined> {
  const [probeId = '', proof = ''] = (headers[DOCTOR_HEADER] ?? '').split(' ')
  if (!PROBE_ID.test(probeId) || !isValidToken(apiKey, probeId, proof, time.now())) return undefined
  const forwardedFor = headers['x-forwarded-for']
  const hops = (forwardedFor ?? '').split(',').flatMap(hop => hop.trim() || [])
  return {
    test,
    hasTokens: tokenSecret !== undefined,
    // Without the forged entry, the first reverse proxy has replaced the header.
    proxies: hops.length - 1 - hops.lastIndexOf(FORGED_ADDRESS),
    trustProxy: trustedHops,
    hasAddress: rateLimitKey(clientAddress(ip, forwardedFor, trustedHops)) !== undefined,
    hasProbe: (await store.get(PROBE_KEY))?.value === probeId,
    hasOtherService: await isOfAnotherService(store, {apiKey, baseUrl}),
    offersNothing: offer.isEmpty === true,
    missingSettings: [...missingSettings],
  }
}
