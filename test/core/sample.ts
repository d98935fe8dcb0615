/** Sample data in the shape of the proxy's responses. */
import type {AssetOption, Checkout, ObservedPayment, Quote} from '../../src/contract/checkout.js'

export const usdt: AssetOption = {
  id: '825',
  symbol: 'USDT',
  name: 'Tether USD',
  featured: true,
  disabled: false,
  networks: [
    {
      id: 'bsc',
      name: 'BNB Smart Chain',
      standard: 'BEP-20',
      confirmationTime: 'under-a-minute',
      disabled: false,
    },
    {id: 'ethereum', name: 'Ethereum', standard: 'ERC-20', confirmationTime: 'minutes', disabled: false},
  ],
}

export const eth: AssetOption = {
  id: '1027',
  symbol: 'ETH',
  name: 'Ethereum',
  featured: false,
  disabled: false,
  networks: [{id: 'ethereum', name: 'Ethereum', confirmationTime: 'minutes', disabled: false}],
}

export const onBsc = {asset: '825', network: 'bsc'}
export const onEthereum = {asset: '825', network: 'ethereum'}

export function checkout(changes: Partial<Checkout> = {}): Checkout {
  const status = changes.status ?? 'open'
  return {
    chargeId: 'charge-1',
    status,
    payable: status === 'open' || status === 'underpaid',
    stale: false,
    test: true,
    price: {amount: '100.00', currency: 'USD'},
    paid: {amount: '0.00', currency: 'USD'},
    due: {amount: '100.00', currency: 'USD'},
    acceptsPartial: true,
    assets: [usdt, eth],
    quote: null,
    payments: [],
    createdAt: '2026-11-21T01:00:00Z',
    expiresAt: '2026-11-21T02:00:00Z',
    serverTime: '2026-11-21T01:23:45.000Z',
    journal: 'journal-1',
    rev: 3,
    ...changes,
  }
}

export function quote(changes: Partial<Quote> = {}): Quote {
  return {
    ...onBsc,
    covers: {amount: '100.00', currency: 'USD'},
    symbol: 'USDT',
    networkName: 'BNB Smart Chain',
    standard: 'BEP-20',
    amount: '100.05',
    address: '0x1111111111111111111111111111111111111111',
    quotedAt: '2026-11-21T01:23:45.000Z',
    refreshAfter: '2026-11-21T01:38:45.000Z',
    ...changes,
  }
}

export function payment(changes: Partial<ObservedPayment> = {}): ObservedPayment {
  return {
    transactionId: '0xaa',
    network: 'bsc',
    status: 'CONFIRMED',
    confirmed: true,
    amount: '60.03',
    currency: 'USDT',
    local: {amount: '60.00', currency: 'USD'},
    at: '2026-11-21T01:24:00Z',
    ...changes,
  }
}

/** 60 of 100 USD are paid. */
export function underpaid(changes: Partial<Checkout> = {}): Checkout {
  return checkout({
    status: 'underpaid',
    paid: {amount: '60.00', currency: 'USD'},
    due: {amount: '40.00', currency: 'USD'},
    payments: [payment()],
    rev: 6,
    ...changes,
  })
}
