/** Whole payments, step by step; the Interactions panel shows each step. */
import {html} from 'lit'
import {checkout, checkoutIn, click, fixtureOf, type Story, storyOf, waitForPhase} from './checkout.js'
import {openFixture, usdtOnBsc, type StoryFixture} from './fixture.js'

export default {...checkout, title: 'Flows'}

export const ChooseAndPay: Story = {
  ...storyOf('choosing'),
  play: async ({canvasElement, loaded, step}) => {
    const element = checkoutIn(canvasElement)
    const {sandbox, chargeId} = fixtureOf(loaded)
    await step('The customer chooses a coin and its network', async () => {
      await waitForPhase(element, 'choosing')
      await click(element, '[data-asset="825"]')
      await click(element, '[data-network="bsc"]')
      await waitForPhase(element, 'paying')
    })
    await step('An unconfirmed payment is observed', async () => {
      const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
      await element.refresh()
      await waitForPhase(element, 'confirming')
      sandbox.confirm(transactionId)
    })
    await step('The payment is confirmed', () => waitForPhase(element, 'paid'))
  },
}

export const PayInTwoParts: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement, loaded, step}) => {
    const element = checkoutIn(canvasElement)
    const {sandbox, chargeId} = fixtureOf(loaded)
    await waitForPhase(element, 'paying')
    await step('The customer pays too little', async () => {
      sandbox.pay(chargeId, {...usdtOnBsc, amount: 'less'})
      await waitForPhase(element, 'underpaid')
    })
    await step('The customer pays the remaining amount', async () => {
      await click(element, '[part=pay-remaining]')
      await waitForPhase(element, 'paying')
      sandbox.pay(chargeId, {...usdtOnBsc, amount: 'exact'})
      await waitForPhase(element, 'paid')
    })
  },
}

export const GoBackAndChooseAnother: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'paying')
    await click(element, '[part=back]')
    await waitForPhase(element, 'choosing')
    await click(element, '[data-asset="1839"]')
    await waitForPhase(element, 'paying')
  },
}

/** For use by hand: the sandbox pays automatically, two seconds after a quote is requested. */
export const WalletThatPays: Story = {
  loaders: [
    async () => {
      const fixture = await openFixture()
      void payOnceQuoted(fixture)
      return {fixture}
    },
  ],
  decorators: [
    story =>
      html`${story()}
        <p>Content of the shop below the checkout.</p>`,
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
