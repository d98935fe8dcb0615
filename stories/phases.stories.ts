import type {Meta, StoryObj} from '@storybook/web-components-vite'
import {html} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import '../src/index.js'
import {openShop, quoted, usdtOnBsc, type Before, type Shop} from './shop.js'

interface Attributes {
  asset?: string
  network?: string
  theme?: 'auto' | 'light' | 'dark'
  dir?: 'ltr' | 'rtl'
  logos?: 'remote' | 'none'
  qr?: 'address' | 'request'
}

type Story = StoryObj<Attributes>

const meta: Meta<Attributes> = {
  title: 'Phases',
  component: 'crypto-checkout',
  // The sandbox's logos lead nowhere.
  args: {logos: 'none', theme: 'auto', dir: 'ltr', qr: 'address'},
  argTypes: {
    theme: {control: 'inline-radio', options: ['auto', 'light', 'dark']},
    dir: {control: 'inline-radio', options: ['ltr', 'rtl']},
    logos: {control: 'inline-radio', options: ['none', 'remote']},
    qr: {control: 'inline-radio', options: ['address', 'request']},
  },
  render: ({asset, network, theme, dir, logos, qr}, {loaded}) => {
    const {chargeId, fetch} = shopOf(loaded)
    return html`<div dir=${ifDefined(dir)}>
      <crypto-checkout
        charge-id=${ifDefined(chargeId)}
        asset=${ifDefined(asset)}
        network=${ifDefined(network)}
        theme=${ifDefined(theme)}
        logos=${ifDefined(logos)}
        qr=${ifDefined(qr)}
        .fetch=${fetch}
      ></crypto-checkout>
    </div>`
  },
}

export default meta

function shopOf(loaded: Record<string, unknown>): {
  chargeId: string | undefined
  fetch: typeof globalThis.fetch
} {
  const {shop} = loaded
  return isShop(shop) ? shop : {chargeId: undefined, fetch: globalThis.fetch}
}

function isShop(value: unknown): value is Shop {
  return typeof value === 'object' && value !== null && 'chargeId' in value && 'fetch' in value
}

function after(before?: (charge: Before) => void | Promise<void>): Story {
  return {loaders: [async () => ({shop: await openShop(before)})]}
}

export const Idle: Story = {}

export const Loading = after(({sandbox}) => sandbox.fault('*', {kind: 'delay', ms: 3_600_000}))

export const Unavailable = after(({sandbox}) => sandbox.fault('*', {kind: 'status', status: 503}))

export const Choosing = after()

export const Quoting: Story = {
  ...after(async ({sandbox, ask}) => {
    await ask('')
    sandbox.fault('convert', {kind: 'delay', ms: 3_600_000})
  }),
  args: usdtOnBsc,
}

export const Paying: Story = {...after(), args: usdtOnBsc}

export const PayingByRequest: Story = {...after(), args: {...usdtOnBsc, qr: 'request'}}

export const PayingRightToLeft: Story = {...after(), args: {...usdtOnBsc, dir: 'rtl', theme: 'dark'}}

export const Confirming = after(async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact', confirmed: false})
})

export const Underpaid = after(async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'less'})
})

export const Paid = after(async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact'})
})

export const Overpaid = after(async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'more'})
})

export const Expired = after(async charge => {
  await quoted(charge)
  charge.sandbox.expire(charge.chargeId)
})

export const Cancelled = after(async charge => {
  await quoted(charge)
  charge.sandbox.cancel(charge.chargeId)
})

/** The service names another address than the one that was shown. */
export const Alarm = after(async charge => {
  await quoted(charge)
  charge.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
})
