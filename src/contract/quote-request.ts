/** The request for a quote. Separate from the schemas of responses, because a page sends it and does not need its schema. */
import * as z from 'zod/mini'

const id = z.string().check(z.minLength(1), z.maxLength(64))

/** What to pay with. No amount may be sent (invariant 7), except a part, which only lowers what is asked for. */
export const quoteRequestSchema = z.object({
  /** The `id` of the asset. */
  asset: id,
  /** The `id` of the network. */
  network: id,
  /** Asks for less than the amount due of a charge that accepts parts. */
  part: z.optional(z.string().check(z.maxLength(40), z.regex(/^\d+(\.\d+)?$/))),
})

/** Of a request's body, in bytes. A longer one is `payload_too_large`. */
export const MAX_BODY_BYTES = 16 * 1024

export type QuoteRequest = z.infer<typeof quoteRequestSchema>
