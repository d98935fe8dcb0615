/** A customer's whole way, step by step; watch it in the panel of interactions. */
import {html} from 'lit'
import {after, checkout, checkoutIn, press, reaches, shopOf, type Story} from './checkout.js'
import {openFixture, usdtOnBsc, type StoryFixture} from './fixture.js'

export default {...checkout, title: 'Flows'}

export const ChooseAndPay: Story = {
  ...after('choosing'),
  play: async ({canvasElement, loaded, step}) => {
    const element = checkoutIn(canvasElement)
    const {sandbox, chargeId} = shopOf(loaded)
    await step('The customer chooses a coin and its network', async () => {
      await reaches(element, 'choosing')
      await press(element, '[data-asset="825"]')
      await press(element, '[data-network="bsc"]')
      await reaches(element, 'paying')
    })
    await step('The payment is seen, and not yet confirmed', async () => {
      const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
      await element.refresh()
      await reaches(element, 'confirming')
      sandbox.confirm(transactionId)
    })
    await step('It is confirmed', () => reaches(element, 'paid'))
  },
}

export const PayInTwoParts: Story = {
  ...after('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement, loaded, step}) => {
    const element = checkoutIn(canvasElement)
    const {sandbox, chargeId} = shopOf(loaded)
    await reaches(element, 'paying')
    await step('Too little arrives', async () => {
      sandbox.pay(chargeId, {...usdtOnBsc, amount: 'less'})
      await reaches(element, 'underpaid')
    })
    await step('The customer asks for the rest, and pays it', async () => {
      await press(element, '[part=pay-remaining]')
      await reaches(element, 'paying')
      sandbox.pay(chargeId, {...usdtOnBsc, amount: 'exact'})
      await reaches(element, 'paid')
    })
  },
}

export const GoBackAndChooseAnother: Story = {
  ...after('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await reaches(element, 'paying')
    await press(element, '[part=back]')
    await reaches(element, 'choosing')
    await press(element, '[data-asset="1839"]')
    await reaches(element, 'paying')
  },
}

/** A wallet that pays by itself, soon after there is something to pay: the whole way, to be walked by hand. */
export const WalletThatPays: Story = {
  loaders: [
    async () => {
      const shop = await openFixture()
      void payOnceQuoted(shop)
      return {shop}
    },
  ],
  decorators: [
    story =>
      html`${story()}
        <p>What the shop has below its checkout.</p>`,
  ],
}

async function payOnceQuoted({sandbox, chargeId}: StoryFixture): Promise<void> {
  const {clock} = sandbox
  while (sandbox.calls.convert === 0) await clock.sleep(100)
  await clock.sleep(2_000)
  const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
  await clock.sleep(4_000)
  sandbox.confirm(transactionId)
}
