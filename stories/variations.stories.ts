/** The same checkout with other wares, other words, another look. */
import {html} from 'lit'
import {catalogue, type CatalogueAsset} from '../src/sandbox/catalogue.js'
import {after, checkout, shopOf, type Story} from './checkout.js'
import {quoted, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Variations'}

const many: readonly CatalogueAsset[] = Array.from({length: 60}, (_, index) => {
  const asset = catalogue[index % catalogue.length]
  if (!asset) throw new Error('the catalogue is empty')
  return {...asset, convertId: `${asset.convertId}${index}`, symbol: `${asset.symbol}${index || ''}`}
})

const longNames = catalogue.slice(0, 4).map(asset => ({
  ...asset,
  name: `${asset.name}, issued by the Consortium for Remarkably Long Names of Financial Instruments`,
}))

export const OneAsset = after('choosing', undefined, {sandbox: {catalogue: catalogue.slice(1, 2)}})

export const SixtyAssets = after('choosing', undefined, {sandbox: {catalogue: many}})

export const LongNames = after('choosing', undefined, {
  description: 'A description which goes on for longer than anybody would want to read before paying for it',
  sandbox: {catalogue: longNames},
})

export const SomeDisabled = after('choosing', ({sandbox}) => {
  sandbox.setDisabled('825', 'ethereum')
  sandbox.setDisabled('1027')
})

export const TinyAmount: Story = {...after('paying', undefined, {amount: '0.01'}), args: {asset: 'ETH'}}

export const HugeAmount: Story = {
  ...after('paying', undefined, {amount: '98765432.10', currency: 'NGN'}),
  args: usdtOnBsc,
}

export const CurrencyWithoutMinorUnit: Story = {
  ...after('paying', undefined, {amount: '7480', currency: 'JPY'}),
  args: usdtOnBsc,
}

export const WithoutDescription: Story = {
  ...after('paying', undefined, {description: '', redirect: ''}),
  args: usdtOnBsc,
}

/** The price may have moved since; a new amount is offered, and not taken. */
export const PriceMayHaveMoved: Story = {
  ...after('paying', async charge => {
    await quoted(charge)
    charge.sandbox.moveClock(16 * 60_000)
  }),
}

export const SeveralPayments = after('underpaid', async charge => {
  await quoted(charge)
  for (let count = 0; count < 3; count++) charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: '10'})
})

/** What came late is still shown. */
export const PaidAfterTheEnd = after('underpaid', async charge => {
  await quoted(charge)
  charge.sandbox.expire(charge.chargeId)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'less'})
})

export const German: Story = {...after('paying'), args: {...usdtOnBsc, locale: 'de'}}

/** Laid out from right to left, whatever the direction of the page. */
export const Arabic: Story = {...after('paying'), args: {...usdtOnBsc, locale: 'ar'}}

export const ArabicReceipt: Story = {
  ...after('paid', async charge => {
    await quoted(charge)
    charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact'})
  }),
  args: {locale: 'ar'},
}

export const Dark: Story = {...after('paying'), args: {...usdtOnBsc, theme: 'dark'}}

/** A merchant's colours, corners and type, by custom properties alone. */
export const CustomTheme: Story = {
  ...after('paying'),
  args: usdtOnBsc,
  decorators: [story => html`<div class="halm">${story()}</div>`],
}

/** The shop's own lines above, below, and beside the receipt. */
export const Slots: Story = {
  ...after('paid', async charge => {
    await quoted(charge)
    charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact'})
  }),
  render: (_, {loaded}) => {
    const {chargeId, fetch} = shopOf(loaded)
    return html`<crypto-checkout charge-id=${chargeId} logos="none" .fetch=${fetch}>
      <p slot="header">Halm &amp; Oak</p>
      <p slot="paid">We are packing your mugs. They leave today.</p>
      <p slot="footer"><a href="https://shop.example/help">Help with this payment</a></p>
    </crypto-checkout>`
  },
}
