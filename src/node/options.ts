/** The options of `createCheckout`, on all runtimes. */
import * as z from 'zod/mini'
import {parser} from '../contract/option-parser.js'
import {ENTRY_FILE} from '../pages/script-files.js'
import {hostedPage, pageOptions} from '../pages/options.js'
import {loggerOption, number} from '../server/base/option-parser.js'
import {merchantOptions, nestedOptions, securityOptions} from '../server/options.js'

const theFiles = "must be the export files of 'crypto-checkout/files'"
const files = z
  .record(z.string(), z.string(theFiles), theFiles)
  .check(z.refine(record => ENTRY_FILE in record, theFiles))

const perMinute = z.optional(
  number('a whole number', 1, 1_000_000_000).check(z.int('must be a whole number')),
)

const rateLimit = z.strictObject(
  {
    perAddress: perMinute,
    opensPerAddress: perMinute,
    perCharge: perMinute,
    quotesPerCharge: perMinute,
    rejectedTokensPerAddress: perMinute,
    webhooksPerAddress: perMinute,
  },
  'must be false, or an object with limits',
)

const checkoutOptions = {
  ...merchantOptions,
  ...pageOptions,
  store: z.optional(merchantOptions.store),
  logger: z.optional(loggerOption),
  transport: z.optional(merchantOptions.transport),
  files: z.optional(files),
  rateLimit: z.optional(z.union([z.literal(false), rateLimit])),
}

export const parseCheckoutOptions = parser(
  z.strictObject(checkoutOptions),
  {...nestedOptions, rateLimit, hostedPage},
  securityOptions,
)
