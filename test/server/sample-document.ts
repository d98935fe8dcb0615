/** Documents of a charge of 100 USD, for tests of pure rules. */
import * as z from 'zod/mini'
import {chargeSchema, cryptoChargeSchema, type ObservedPayment} from '../../src/contract/index.js'
import {toSnapshot, type Reading} from '../../src/server/charge/observe.js'
import {newCharge, type OpenedDocument} from '../../src/server/charges/document.js'
import {paymentKey} from '../../src/server/checkout/transfers.js'
import * as sample from '../core/sample.js'
import {ScriptedService, startOfTest} from './scripted-service.js'

export const price = {amount: '100.00', currency: 'USD'}
export const expiresAt = startOfTest + 3_600_000

/** Opened and minted, with these payments. */
export function chargeDocument(
  changes: Partial<OpenedDocument> = {},
  ...payments: (ObservedPayment & {readonly missingSince?: number})[]
): OpenedDocument {
  return {
    ...newCharge({at: startOfTest, price, createdAt: '2026-11-21T01:00:00.000Z', acceptsPartial: false}),
    journal: 'j',
    minted: {cryptoChargeId: 'k1-c1', price, assets: []},
    expiresAt,
    payments: Object.fromEntries(payments.map(each => [paymentKey(each), {...each, seenAt: startOfTest}])),
    ...changes,
  }
}

/** A confirmed payment of 40 USD. */
export function payment(changes: Partial<ObservedPayment> = {}): ObservedPayment {
  const local = {amount: '40', currency: 'USD'}
  return sample.payment({
    transactionId: '0xa',
    amount: '40.1',
    local,
    at: '2026-11-21T01:10:00.000Z',
    ...changes,
  })
}

/** What a read finds at a service in this state. */
export function readingOf(
  change: (service: ScriptedService) => void = () => undefined,
  {isMinted = true, cryptoChargeId = 'k1-c1'} = {},
): Reading {
  const service = new ScriptedService()
  change(service)
  return {
    charge: z.parse(chargeSchema, service.charge('c1')),
    snapshot: isMinted
      ? toSnapshot(z.parse(cryptoChargeSchema, service.cryptoCharge(cryptoChargeId, 'c1')))
      : undefined,
  }
}
