/** Other charges, languages and themes. */
import {html} from 'lit'
import {waitFor} from 'storybook/test'
import type {CryptoCheckout} from '../src/index.js'
import {catalogue, type CatalogueAsset} from '../src/sandbox/catalogue.js'
import {checkout, checkoutIn, click, fixtureOf, type Story, storyOf, waitForPhase} from './checkout.js'
import {paidWith, requestQuote, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Variations'}

const sixtyAssets: readonly CatalogueAsset[] = Array.from({length: 60}, (_, index) => {
  const asset = catalogue[index % catalogue.length]
  if (!asset) throw new Error('the catalogue is empty')
  return {...asset, convertId: `${asset.convertId}${index}`, symbol: `${asset.symbol}${index || ''}`}
})

const longNames = catalogue.slice(0, 4).map(asset => ({
  ...asset,
  name: `${asset.name}, issued by the Consortium for Remarkably Long Names of Financial Instruments`,
}))

export const OneAsset = storyOf('choosing', undefined, {sandbox: {catalogue: catalogue.slice(1, 2)}})

export const SixtyAssets = storyOf('choosing', undefined, {sandbox: {catalogue: sixtyAssets}})

export const LongNames = storyOf('choosing', undefined, {
  description: 'A description which goes on for longer than anybody would want to read before paying for it',
  sandbox: {catalogue: longNames},
})

export const SomeDisabled = storyOf('choosing', ({sandbox}) => {
  sandbox.setDisabled('825', 'ethereum')
  sandbox.setDisabled('1027')
})

export const TinyAmount: Story = {...storyOf('paying', undefined, {amount: '0.01'}), args: {asset: 'ETH'}}

export const HugeAmount: Story = {
  ...storyOf('paying', undefined, {amount: '98765432.10', currency: 'NGN'}),
  args: usdtOnBsc,
}

export const CurrencyWithoutMinorUnit: Story = {
  ...storyOf('paying', undefined, {amount: '7480', currency: 'JPY'}),
  args: usdtOnBsc,
}

export const WithoutDescription: Story = {
  ...storyOf('paying', undefined, {description: '', redirect: ''}),
  args: usdtOnBsc,
}

/** The price may have changed; a new amount is offered. */
export const PriceMayHaveChanged: Story = {
  ...storyOf('paying', async setup => {
    await requestQuote(setup)
    setup.sandbox.moveClock(16 * 60_000)
  }),
}

/** There is no coin of that name, and the customer would buy or send the wrong one. */
export const SearchForBitcoin: Story = {
  ...storyOf('choosing'),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'choosing')
    await click(element, '[part=search]')
    const field = element.shadowRoot?.querySelector<HTMLInputElement>('[part=search]')
    if (!field) throw new Error('there is no field')
    field.value = 'bitcoin'
    field.dispatchEvent(new InputEvent('input', {bubbles: true}))
    await element.updateComplete
  },
}

/** The customer pays from an exchange, which takes a fee. */
export const FromAnExchange: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'paying')
    await click(element, '[part=exchange] summary')
    await type(element, 'exchange-fee', '0.29')
  },
}

/** A customer who has paid too much says where to send it back. */
export const WhereToSendItBack: Story = {
  ...storyOf('overpaid', paidWith({amount: 'more'}), {tokens: true}),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'overpaid')
    await click(element, '[part=refund] summary')
    await type(element, 'refund-address', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')
    await type(element, 'refund-again', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea')
    await click(element, '[part=refund-send]')
    await element.updateComplete
  },
}

/** The customer paid although the shop had cancelled the order. */
export const NoLongerNeeded = storyOf(
  'paid',
  async setup => {
    await requestQuote(setup)
    await setup.checkout.cancelOrder('order-7')
    setup.sandbox.pay(setup.chargeId, usdtOnBsc)
    await setup.checkout.getOrder('order-7')
  },
  {tokens: true},
)

/** The shop has cancelled the order after a part was paid, and has the address of its customer. */
export const ShopHasTheAddress: Story = {
  ...storyOf(
    'underpaid',
    async setup => {
      await paidWith({amount: 'less'})(setup)
      await setup.checkout.cancelOrder('order-7')
    },
    {tokens: true},
  ),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'underpaid')
    await click(element, '[part=refund] summary')
    await type(element, 'refund-address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    await click(element, '[part=refund-send]')
    // Reads of a charge are a second apart.
    await waitFor(
      () => {
        if (element.checkout?.refund !== 'asked') throw new Error('the shop has no address')
      },
      {timeout: 10_000},
    )
    await element.updateComplete
  },
}

async function type(element: CryptoCheckout, part: string, text: string): Promise<void> {
  const field = element.shadowRoot?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[part=${part}]`)
  if (!field) throw new Error(`there is no field ${part}`)
  field.value = text
  field.dispatchEvent(new InputEvent('input', {bubbles: true}))
  await element.updateComplete
}

/** A part of the order was paid before its first charge expired. */
export const RestOfAnOrder = storyOf('choosing', undefined, {paidBefore: '20'})

export const PayingTheRest: Story = {
  ...storyOf('paying', undefined, {paidBefore: '20'}),
  args: usdtOnBsc,
}

const inParts = {partial: true}

/** The charge accepts parts. */
export const PayAPart: Story = {
  ...storyOf('choosing', undefined, inParts),
  play: async ({canvasElement}) => {
    const element = checkoutIn(canvasElement)
    await waitForPhase(element, 'choosing')
    await click(element, '[part=pay-part]')
  },
}

export const PayingAPart = storyOf(
  'paying',
  async ({post}) => {
    await post('')
    await post('/quote', {...usdtOnBsc, part: '20.00'})
  },
  inParts,
)

export const APartArrived = storyOf(
  'underpaid',
  async setup => {
    await setup.post('')
    await setup.post('/quote', {...usdtOnBsc, part: '20.00'})
    setup.sandbox.pay(setup.chargeId, usdtOnBsc)
  },
  inParts,
)

export const SeveralPayments = storyOf('underpaid', async setup => {
  await requestQuote(setup)
  for (let count = 0; count < 3; count++) setup.sandbox.pay(setup.chargeId, {...usdtOnBsc, amount: '10'})
})

/** A late payment is still shown. */
export const PaidAfterExpiry = storyOf('underpaid', async setup => {
  await requestQuote(setup)
  setup.sandbox.expire(setup.chargeId)
  setup.sandbox.pay(setup.chargeId, {...usdtOnBsc, amount: 'less'})
})

export const German: Story = {...storyOf('paying'), args: {...usdtOnBsc, locale: 'de'}}

/** Right-to-left, whatever the direction of the page. */
export const Arabic: Story = {...storyOf('paying'), args: {...usdtOnBsc, locale: 'ar'}}

export const ArabicReceipt: Story = {
  ...storyOf('paid', paidWith({amount: 'exact'})),
  args: {locale: 'ar'},
}

export const Dark: Story = {...storyOf('paying'), args: {...usdtOnBsc, theme: 'dark'}}

/** A merchant's theme, with custom properties only. */
export const CustomTheme: Story = {
  ...storyOf('paying'),
  args: usdtOnBsc,
  decorators: [story => html`<div class="halm">${story()}</div>`],
}

/** All slots of a paid checkout. */
export const Slots: Story = {
  ...storyOf('paid', paidWith({amount: 'exact'})),
  render: (_, {loaded}) => {
    const {chargeId, fetch} = fixtureOf(loaded)
    return html`<crypto-checkout charge-id=${chargeId} logos="none" .fetch=${fetch}>
      <p slot="header">Halm &amp; Oak</p>
      <p slot="paid">We are packing your mugs. They leave today.</p>
      <p slot="footer"><a href="https://shop.example/help">Help with this payment</a></p>
    </crypto-checkout>`
  },
}
