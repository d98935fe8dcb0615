/**
 * Replaces the server entry point in a bundle for browsers. There everybody could read the api-key, so importing it fails
 * with a clear message.
 */
const message =
  'crypto-checkout/server holds your api-key and must run on your server, never in a page. ' +
  'In the page, import "crypto-checkout" and use <crypto-checkout charge-id="…">.'

function fail(): never {
  throw new Error(message)
}

export const createCheckout = fail
export const createServiceClient = fail
export const memoryStore = fail
export const fileStore = fail
export const redisStore = fail
export const sqlStore = fail

fail()
