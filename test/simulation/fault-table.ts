/** Every fault of the sandbox. */
import type {Fault} from '../../src/sandbox/faults.js'

type Kind = Fault['kind']

/** Faults with which an operation fails. */
const failures = {
  // Longer than every timeout.
  delay: [{kind: 'delay', ms: 60_000}],
  status: [
    {kind: 'status', status: 400},
    {kind: 'status', status: 401},
    {kind: 'status', status: 404},
    {kind: 'status', status: 429, retryAfter: 3},
    {kind: 'status', status: 503},
  ],
  statusAfterEffect: [{kind: 'statusAfterEffect', status: 500}],
  drop: [{kind: 'drop'}],
  dropAfterEffect: [{kind: 'dropAfterEffect'}],
  malformed: [{kind: 'malformed'}],
  truncated: [{kind: 'truncated'}],
  missingFields: [{kind: 'missingFields'}],
  lostBody: [{kind: 'lostBody'}],
  swappedAddress: [{kind: 'swappedAddress'}],
  redirect: [{kind: 'redirect'}],
  wrongCurrency: [{kind: 'wrongCurrency'}],
  badAmount: [
    {kind: 'badAmount', amount: null},
    {kind: 'badAmount', amount: 0},
    {kind: 'badAmount', amount: -5},
    {kind: 'badAmount', amount: '1e999'},
    {kind: 'badAmount', amount: '"12"'},
  ],
} satisfies {readonly [K in Kind]?: readonly Extract<Fault, {kind: K}>[]}

/** Faults with which an operation succeeds with an unusual response. A kind of neither table does not compile. */
const oddities: {readonly [K in Exclude<Kind, keyof typeof failures>]: readonly Extract<Fault, {kind: K}>[]} =
  {
    oddPayments: [
      {kind: 'oddPayments'},
      {kind: 'oddPayments', form: 'malformedTimestamp'},
      {kind: 'oddPayments', form: 'nullOptional'},
      {kind: 'oddPayments', form: 'missingOptional'},
      {kind: 'oddPayments', form: 'unreadable'},
      {kind: 'oddPayments', form: 'unreadableItems'},
    ],
    wrongPrice: [{kind: 'wrongPrice'}, {kind: 'wrongPrice', currency: 'EUR'}],
    repeatedAssets: [{kind: 'repeatedAssets'}],
    wrongDate: [
      {kind: 'wrongDate', ms: 2 * 3_600_000},
      {kind: 'wrongDate', ms: -2 * 3_600_000},
    ],
  }

export const faults = Object.values<readonly Fault[]>(failures).flat()
/** Also a response without the expiry, which the service does not always send. */
export const oddResponses: readonly Fault[] = [
  ...Object.values<readonly Fault[]>(oddities).flat(),
  {kind: 'missingFields', fields: ['expires_at']},
]
