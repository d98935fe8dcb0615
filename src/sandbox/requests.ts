/** What the sandbox's methods take, and with it the control API. */
import * as z from 'zod/mini'

export const text = z.string().check(z.minLength(1))
const hexadecimal = z.string().check(z.regex(/^0x[\da-f]*$/i))

export const payFields = {
  /** A convert id or symbol. */
  asset: text,
  network: text,
  /**
   * `exact` (the default) is the last result of convert for this pair, or what is due at its rate if that is less; `less` is
   * 60 % of it, `more` is 150 %, `part` is half of the amount due. Anything else is an amount of the asset as a decimal string.
   */
  amount: z.optional(text),
  /** Default true. */
  confirmed: z.optional(z.boolean()),
  /** The network actually used, to simulate a payment on the wrong one. */
  via: z.optional(text),
  /** The address actually used, to simulate a payment to the wrong one. */
  address: z.optional(text),
}

export const elsewhereFields = {
  amount: payFields.amount,
  confirmed: payFields.confirmed,
  /** True if reads of the payment charge list its payments from now on. Default false, as documented. */
  listed: z.optional(z.boolean()),
}

/** Hexadecimal with `0x`, as a wallet receives it. */
export const transactionFields = {
  /** The network that the wallet is on. */
  network: text,
  to: hexadecimal,
  /** Of the network's coin, in base units. */
  value: z.optional(hexadecimal),
  data: z.optional(hexadecimal),
}

type Fields<Shape extends z.core.$ZodShape> = z.infer<z.ZodMiniObject<Shape>>

export type PayRequest = Fields<typeof payFields>
export type ElsewhereRequest = Fields<typeof elsewhereFields>
export type TransactionRequest = Fields<typeof transactionFields>
