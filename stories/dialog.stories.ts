/** The checkout as a dialog over the shop's page. */
import {html} from 'lit'
import {waitFor} from 'storybook/test'
import {after, checkout, checkoutIn, press, reaches, shopOf, type Story} from './checkout.js'
import {quoted, usdtOnBsc} from './fixture.js'

export default {
  ...checkout,
  title: 'Dialog',
  parameters: {docs: {story: {inline: false, height: '640px'}}},
}

export const Open: Story = {...after('choosing'), args: {modal: true, open: true}}

export const OpenWithAddress: Story = {...after('paying'), args: {...usdtOnBsc, modal: true, open: true}}

/** Leaving a half-paid charge is asked about once more. */
export const AskedBeforeLeaving: Story = {
  ...after('underpaid', async charge => {
    await quoted(charge)
    charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'less'})
  }),
  args: {modal: true, open: true},
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await reaches(element, 'underpaid')
    await press(element, '[part=close]')
    await waitFor(() => {
      if (!element.shadowRoot?.querySelector('[part=leave-dialog][open]')) throw new Error('it was not asked')
    })
  },
}

export const OpenedByTheShop: Story = {
  ...after('choosing'),
  render: (_, {loaded}) => {
    const {chargeId, fetch} = shopOf(loaded)
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
