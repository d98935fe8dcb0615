import {after, checkout, type Story} from './checkout.js'
import {quoted, usdtOnBsc} from './fixture.js'

export default {...checkout, title: 'Phases'}

export const Idle: Story = {}

export const Loading = after('loading', ({sandbox}) => sandbox.fault('*', {kind: 'delay', ms: 3_600_000}))

export const Unavailable = after('unavailable', ({sandbox}) =>
  sandbox.fault('*', {kind: 'status', status: 503}),
)

export const Choosing = after('choosing')

export const Quoting: Story = {
  ...after('quoting', async ({sandbox, ask}) => {
    await ask('')
    sandbox.fault('convert', {kind: 'delay', ms: 3_600_000})
  }),
  args: usdtOnBsc,
}

export const Paying: Story = {...after('paying'), args: usdtOnBsc}

export const PayingByRequest: Story = {...after('paying'), args: {...usdtOnBsc, qr: 'request'}}

export const Confirming = after('confirming', async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact', confirmed: false})
})

export const Underpaid = after('underpaid', async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'less'})
})

export const Paid = after('paid', async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'exact'})
})

export const Overpaid = after('overpaid', async charge => {
  await quoted(charge)
  charge.sandbox.pay(charge.chargeId, {...usdtOnBsc, amount: 'more'})
})

export const Expired = after('expired', async charge => {
  await quoted(charge)
  charge.sandbox.expire(charge.chargeId)
})

export const Cancelled = after('cancelled', async charge => {
  await quoted(charge)
  charge.sandbox.cancel(charge.chargeId)
})
