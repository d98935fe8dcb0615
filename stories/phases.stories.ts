import {checkout, type Story, storyOf} from './checkout.js'
import {paidWith, requestQuote, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Phases'}

export const Choosing = storyOf('choosing')

export const Quoting: Story = {
  ...storyOf('quoting', async ({sandbox, post}) => {
    await post('')
    sandbox.fault('convert', {kind: 'delay', ms: 3_600_000})
  }),
  args: usdtOnBsc,
}

export const Paying: Story = {...storyOf('paying'), args: usdtOnBsc}

export const PayingByRequest: Story = {...storyOf('paying'), args: {...usdtOnBsc, qr: 'request'}}

export const Confirming = storyOf('confirming', paidWith({amount: 'exact', confirmed: false}))

export const Underpaid = storyOf('underpaid', paidWith({amount: 'less'}))

export const Paid = storyOf('paid', paidWith({amount: 'exact'}))

export const Overpaid = storyOf('overpaid', paidWith({amount: 'more'}))

export const Expired = storyOf('expired', async setup => {
  await requestQuote(setup)
  setup.sandbox.expire(setup.chargeId)
})

export const Cancelled = storyOf('cancelled', async setup => {
  await requestQuote(setup)
  setup.sandbox.cancel(setup.chargeId)
})

export const Loading = storyOf('loading', ({sandbox}) => sandbox.fault('*', {kind: 'delay', ms: 3_600_000}))

export const Unavailable = storyOf('unavailable', ({sandbox}) =>
  sandbox.fault('*', {kind: 'status', status: 503}),
)

export const Idle: Story = {}
