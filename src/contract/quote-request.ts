/** The request for a quote. Separate from the schemas of responses, because a page sends it and does not need its schema. */
import * as z from 'zod/mini'

const id = z.string().check(z.minLength(1), z.maxLength(64))

/**
 * The body of `POST /charges/{chargeId}/quote`: the asset and network. `part`, decimal text in the currency of the price,
 * asks for less than the amount due of a charge that accepts parts; no other amount may be sent (invariant 7).
 */
export const quoteRequestSchema = z.object({
  asset: id,
  network: id,
  part: z.optional(z.string().check(z.maxLength(40), z.regex(/^\d+(\.\d+)?$/))),
})

export type QuoteRequest = z.infer<typeof quoteRequestSchema>
