/** The `modal` checkout. */
import {html} from 'lit'
import {waitFor} from 'storybook/test'
import {checkout, checkoutIn, click, fixtureOf, type Story, storyOf, waitForPhase} from './checkout.js'
import {paidWith, usdtOnBsc} from './fixture.js'

export default {
  ...checkout,
  title: 'Dialog',
  parameters: {docs: {story: {inline: false, height: '640px'}}},
}

export const Open: Story = {...storyOf('choosing'), args: {modal: true, open: true}}

export const OpenWithAddress: Story = {...storyOf('paying'), args: {...usdtOnBsc, modal: true, open: true}}

/** Closing an underpaid charge needs confirmation. */
export const ConfirmLeave: Story = {
  ...storyOf('underpaid', paidWith({amount: 'less'})),
  args: {modal: true, open: true},
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'underpaid')
    await click(element, '[part=close]')
    await waitFor(() => {
      if (!element.shadowRoot?.querySelector('[part=leave-dialog][open]'))
        throw new Error('the confirmation is not open')
    })
  },
}

export const OpenedByTheShop: Story = {
  // A modal requests its charge when it first opens.
  ...storyOf('loading'),
  render: (_, {loaded}) => {
    const {chargeId, fetch} = fixtureOf(loaded)
    const show = ({currentTarget}: Event) => {
      if (currentTarget instanceof HTMLElement)
        currentTarget.parentElement?.querySelector('crypto-checkout')?.show()
    }
    return html`<div>
      <button type="button" @click=${show}>Pay with crypto</button>
      <crypto-checkout modal charge-id=${chargeId} logos="none" .fetch=${fetch}></crypto-checkout>
    </div>`
  },
}
