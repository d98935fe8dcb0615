/** Failures, and what the customer sees. */
import {waitFor} from 'storybook/test'
import {checkout, checkoutIn, click, fixtureOf, type Story, storyOf, waitForPhase} from './checkout.js'
import {checkoutSchema} from '../src/contract/checkout.js'
import type {Checkout, CryptoCheckout, ObservedPayment, Phase} from '../src/index.js'
import {requestQuote, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Faults'}

const confirmed: ObservedPayment = {
  transactionId: '0x8f2b06a4c1d97e35b0f6a9d4827c3e51',
  network: 'bsc',
  status: 'CONFIRMED',
  confirmed: true,
  amount: '49.92',
  currency: 'USDT',
  local: {amount: '49.90', currency: 'USD'},
  at: '2026-11-21T01:24:00Z',
}
const unconfirmed: ObservedPayment = {
  ...confirmed,
  transactionId: '0x51c3e7824d9a6f0b53e79d1c4a60b2f8',
  status: 'PENDING',
  confirmed: false,
}
const dropped: ObservedPayment = {...unconfirmed, status: 'FAILED', dropped: true}

/** The address stays on screen; a notice says that the data is stale. */
export const OfflineWhilePaying: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'paying')
    element.fetch = () => Promise.reject(new TypeError('no network'))
    await element.refresh()
    await waitForNotice(element)
  },
}

/** The proxy returns its last known state. */
export const ServiceDownWhilePaying: Story = {
  ...storyOf('paying', async setup => {
    await requestQuote(setup)
    setup.sandbox.fault('*', {kind: 'status', status: 503})
  }),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'paying')
    await waitForNotice(element)
  },
}

/** No address was activated, so none is shown. */
export const ActivationFailed: Story = {
  ...storyOf('choosing', ({sandbox}) => {
    sandbox.fault('convert', {kind: 'badAmount', amount: 0})
  }),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'choosing')
    await waitForNotice(element)
  },
}

/** The service returns another address than the displayed one. */
export const AddressMismatch = storyOf('unavailable', async setup => {
  await requestQuote(setup)
  setup.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
})

export const UnknownCharge: Story = {
  ...storyOf('unavailable', ({sandbox}) => {
    sandbox.fault('getCharge', {kind: 'status', status: 404})
  }),
}

/** The request for a new amount failed; the earlier amount stays. */
export const RenewalRefused: Story = {
  ...storyOf('paying', async setup => {
    await requestQuote(setup)
    setup.sandbox.moveClock(16 * 60_000)
    setup.sandbox.fault('convert', {kind: 'status', status: 500})
  }),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'paying')
    await click(element, '[part=renew]')
    await waitForNotice(element)
  },
}

/** The payment that was seen did not arrive; the address and the amount are shown again. */
export const PaymentDropped: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement, loaded}) => {
    const element = checkoutIn(canvasElement)
    const {fetch} = fixtureOf(loaded)
    await waitForPhase(element, 'paying')
    await report(element, fetch, {status: 'pending', payable: false, payments: [unconfirmed]}, 1)
    await waitForPhase(element, 'confirming')
    await report(element, fetch, {payments: [dropped]}, 2)
    await waitForPhase(element, 'paying')
  },
}

export const PaymentDroppedBeforeOpening: Story = reporting('choosing', {payments: [dropped]})

export const PaymentDroppedWhileUnderpaid: Story = reporting('underpaid', {
  status: 'underpaid',
  paid: {amount: '20.00', currency: 'USD'},
  due: {amount: '29.90', currency: 'USD'},
  payments: [{...confirmed, local: {amount: '20.00', currency: 'USD'}, amount: '20.01'}, dropped],
})

export const PaymentUnreadable: Story = {
  ...reporting('unavailable', {alert: 'payment_unreadable', payable: false, quote: null}),
  args: usdtOnBsc,
}

export const PriceMismatch: Story = reporting('unavailable', {alert: 'price_mismatch', payable: false})

/** The time to pay is over, and the service has not ended the charge yet. */
export const TimeIsUp: Story = {...reporting('paying', {expiresAt: '2026-01-01T00:00:00Z'}), args: usdtOnBsc}

/** Paid on the hosted page, without a payment that the proxy can read. */
export const PaidElsewhere: Story = reporting('paid', {status: 'paid', payable: false})

/** Paid with a coin and on a network that the checkout does not offer. */
export const PaidWithAnotherCoin: Story = reporting('paid', {
  status: 'paid',
  payable: false,
  paid: {amount: '49.90', currency: 'USD'},
  payments: [{...confirmed, currency: 'MATIC', network: 'polygon-pos', amount: '104.2'}],
})

function reporting(phase: Phase, changes: Partial<Checkout>): Story {
  return {
    ...storyOf('choosing'),
    play: async ({canvasElement, loaded, args}) => {
      const element = checkoutIn(canvasElement)
      await waitForPhase(element, args.asset ? 'paying' : 'choosing')
      await report(element, fixtureOf(loaded).fetch, changes, 1)
      await waitForPhase(element, phase)
    },
  }
}

/** Changes every checkout that the element reads, as if the service had reported it. */
async function report(
  element: CryptoCheckout,
  fetch: typeof globalThis.fetch,
  changes: Partial<Checkout>,
  laterBy: number,
): Promise<void> {
  element.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    // A 204 has no checkout to change.
    url.searchParams.delete('known')
    const response = await fetch(url, init)
    if (init?.method !== 'GET') return response
    const checkout = checkoutSchema.parse(await response.json())
    return Response.json({...checkout, rev: checkout.rev + laterBy, ...changes})
  }
  await element.refresh()
}

async function waitForNotice(element: HTMLElement): Promise<void> {
  await waitFor(
    () => {
      if (!element.shadowRoot?.querySelector('.note [part=notice], [part=notice] .data'))
        throw new Error('there is no notice')
    },
    {timeout: 10_000},
  )
}
