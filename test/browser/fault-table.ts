/** The faults of the sandbox, all of them, and which operations each can harm. */
import type {Fault} from '../../src/sandbox/faults.js'
import type {Operation} from '../../src/sandbox/operations.js'

type Kind = Fault['kind']

/** Complete: a kind that the sandbox learns and that is not here does not compile. */
const variants: {readonly [K in Kind]: readonly Extract<Fault, {kind: K}>[]} = {
  // Longer than anybody waits.
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
}
export const faults = Object.values<readonly Fault[]>(variants).flat()

/** These touch only what some operations have: a body, an address, an amount. */
const affectedOperations: Readonly<Partial<Record<Kind, readonly Operation[]>>> = {
  lostBody: ['createCharge', 'convert'],
  swappedAddress: ['createCryptoCharge', 'getCryptoCharge'],
  wrongCurrency: ['convert'],
  badAmount: ['convert'],
}

export function affects(operation: Operation, {kind}: Fault): boolean {
  return affectedOperations[kind]?.includes(operation) ?? true
}

export function describeFault(fault: Fault): string {
  const {kind, ...rest} = fault
  const details = Object.values(rest).join(', ')
  return details ? `${kind} (${details})` : kind
}
