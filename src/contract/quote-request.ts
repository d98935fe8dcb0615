/** The request for a quote. Separate from the schemas of responses, because a page sends it and does not need its schema. */
import * as z from 'zod/mini'

const id = z.string().check(z.minLength(1), z.maxLength(64))

/** The body of `POST /charges/{chargeId}/quote`: the asset and network, never an amount (invariant 7). */
export const quoteRequestSchema = z.object({asset: id, network: id})

export type QuoteRequest = z.infer<typeof quoteRequestSchema>
