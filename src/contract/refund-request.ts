/** Where the customer wants money back. Separate from the schemas of responses, because a page sends it. */
import * as z from 'zod/mini'

export const refundRequestSchema = z.object({
  /** The service's name of a network on which money has arrived. */
  network: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Of the customer, on this network. */
  address: z.string().check(z.minLength(1), z.maxLength(200)),
})

export type RefundRequest = z.infer<typeof refundRequestSchema>
