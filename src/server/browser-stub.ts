/**
 * What a bundler for pages finds in the place of the server door. The door holds the api-key; in a page everybody could
 * read it, so the mistake is said in words instead of in a bundler's.
 */
const complaint =
  'crypto-checkout/server holds your api-key and must run on your server, never in a page. ' +
  'In the page, import "crypto-checkout" and use <crypto-checkout charge-id="…">.'

function refuse(): never {
  throw new Error(complaint)
}

export const createCheckout = refuse
export const createServiceClient = refuse
export const memoryStore = refuse
export const fileStore = refuse
export const redisStore = refuse

refuse()
