/** What goes wrong, and what the customer is told of it. */
import {waitFor} from 'storybook/test'
import {after, checkout, checkoutIn, press, reaches, type Story} from './checkout.js'
import {quoted, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Faults'}

/** The address stays on screen; one line says why nothing is new. */
export const OfflineWhilePaying: Story = {
  ...after('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await reaches(element, 'paying')
    element.fetch = () => Promise.reject(new TypeError('no network'))
    await element.refresh()
    await told(element)
  },
}

/** The proxy answers from what it knows. */
export const ServiceDownWhilePaying: Story = {
  ...after('paying', async charge => {
    await quoted(charge)
    charge.sandbox.fault('*', {kind: 'status', status: 503})
  }),
}

/** Nothing was activated, so nothing is shown. */
export const ActivationFailed: Story = {
  ...after('choosing', ({sandbox}) => {
    sandbox.fault('convert', {kind: 'badAmount', amount: 0})
  }),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await reaches(element, 'choosing')
    await told(element)
  },
}

/** The service names another address than the one that was shown. */
export const AddressMismatch = after('unavailable', async charge => {
  await quoted(charge)
  charge.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
})

export const UnknownCharge: Story = {
  ...after('unavailable', ({sandbox}) => {
    sandbox.fault('getCharge', {kind: 'status', status: 404})
  }),
}

/** A new amount was asked for and refused; the earlier one stays. */
export const RenewalRefused: Story = {
  ...after('paying', async charge => {
    await quoted(charge)
    charge.sandbox.moveClock(16 * 60_000)
    charge.sandbox.fault('convert', {kind: 'status', status: 500})
  }),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await reaches(element, 'paying')
    await press(element, '[part=renew]')
    await told(element)
  },
}

async function told(element: HTMLElement): Promise<void> {
  await waitFor(
    () => {
      if (!element.shadowRoot?.querySelector('[part=notice] .data')) throw new Error('nothing is told')
    },
    {timeout: 10_000},
  )
}
