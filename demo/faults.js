/** The failures of the payment service that the demo offers, and the operations that can fail. */

export const operations = {
  convert: 'convert',
  createCryptoCharge: 'create crypto charge',
  getCryptoCharge: 'get crypto charge',
  getCharge: 'get charge',
  createCharge: 'create charge',
  verifyPayment: 'verify payment',
  '*': 'all operations',
}

/** By an id that can be in a URL. */
export const faults = {
  'status-503': {name: 'responds with 503', fault: {kind: 'status', status: 503}},
  'status-429': {
    name: 'responds with 429, retry after 5 s',
    fault: {kind: 'status', status: 429, retryAfter: 5},
  },
  'status-400': {name: 'responds with 400', fault: {kind: 'status', status: 400}},
  'status-500-after': {
    name: 'succeeds, but responds with 500',
    fault: {kind: 'statusAfterEffect', status: 500},
  },
  'delay-5': {name: 'takes 5 s', fault: {kind: 'delay', ms: 5_000}},
  'delay-30': {name: 'takes 30 s', fault: {kind: 'delay', ms: 30_000}},
  drop: {name: 'drops the connection', fault: {kind: 'drop'}},
  'drop-after': {name: 'succeeds, but drops the connection', fault: {kind: 'dropAfterEffect'}},
  malformed: {name: 'returns invalid JSON', fault: {kind: 'malformed'}},
  truncated: {name: 'returns truncated JSON', fault: {kind: 'truncated'}},
  'missing-fields': {name: 'omits fields', fault: {kind: 'missingFields'}},
  'lost-body': {name: 'loses the request body', fault: {kind: 'lostBody'}},
  'swapped-address': {name: 'returns other addresses', fault: {kind: 'swappedAddress'}},
  'wrong-currency': {name: 'returns another coin', fault: {kind: 'wrongCurrency'}},
  'bad-amount': {name: 'returns no amount', fault: {kind: 'badAmount'}},
  redirect: {name: 'redirects', fault: {kind: 'redirect'}},
  'status-404': {name: 'does not know the charge', fault: {kind: 'status', status: 404}},
  'odd-payments': {name: 'writes payments unusually', fault: {kind: 'oddPayments'}},
  'unreadable-payments': {
    name: 'returns unreadable payments',
    fault: {kind: 'oddPayments', form: 'unreadable'},
  },
  'wrong-price': {name: 'returns another price', fault: {kind: 'wrongPrice'}},
  'repeated-assets': {name: 'lists every asset twice', fault: {kind: 'repeatedAssets'}},
  'no-expiry': {name: 'omits the expiry', fault: {kind: 'missingFields', fields: ['expires_at']}},
  'date-ahead': {name: 'has a date two hours ahead', fault: {kind: 'wrongDate', ms: 7_200_000}},
  'date-behind': {name: 'has a date two hours behind', fault: {kind: 'wrongDate', ms: -7_200_000}},
}
