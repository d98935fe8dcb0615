/** What a page may ask for. Apart from the answers, because a page only sends it, and need not carry its schema. */
import * as z from 'zod/mini'

const id = z.string().check(z.minLength(1), z.maxLength(64))

/** The body of `POST /charges/{chargeId}/quote`: what to pay with, never how much (invariant 7). */
export const quoteRequestSchema = z.object({asset: id, network: id})

export type QuoteRequest = z.infer<typeof quoteRequestSchema>
