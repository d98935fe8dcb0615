/** Failures, and what the customer sees. */
import {waitFor} from 'storybook/test'
import {checkout, checkoutIn, click, type Story, storyOf, waitForPhase} from './checkout.js'
import {requestQuote, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Faults'}

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

async function waitForNotice(element: HTMLElement): Promise<void> {
  await waitFor(
    () => {
      if (!element.shadowRoot?.querySelector('[part=notice] .data')) throw new Error('there is no notice')
    },
    {timeout: 10_000},
  )
}
