/** What a page shows of an archived charge, and what changes nothing. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {scripted, ScriptedService, status, type ScriptedPayment} from '../scripted-service.js'

const DAY = 86_400_000
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const older = {transaction_id: '0xa', local: 110}
const newer = {transaction_id: '0xb', local: 5}

/** A charge that no page has opened, so it has no crypto charge. */
async function archived(value: string, payment: ScriptedPayment) {
  const told: string[] = []
  const fixture = scripted({
    tokenSecret: 'a secret of at least 32 characters',
    retention: DAY,
    onAlert: ({kind}) => void told.push(kind),
  })
  const {checkout, service, clock, request, inTime, document} = fixture
  service.report(value, payment)
  await checkout.verify('c1')
  await clock.jump(2 * DAY)
  await checkout.reconcile()
  assert.ok((await document()).archived)
  const token = {'x-checkout-token': checkout.createToken('c1')}
  const call = async (path = '', body?: object) => {
    await clock.advance(1_500)
    return inTime(request('POST', `/charges/c1${path}`, body, token))
  }
  return {...fixture, told, call, give: () => call('/refund-address', {network: 'bsc', address})}
}

test('an archived charge with money left over shows what is listed now, the oldest first; what is not listed stays', async () => {
  const {service, call, give, webhook, told, checkout} = await archived('overpaid', older)
  service.payment = payment => ({
    ...ScriptedService.prototype.payment.call(service, payment),
    ...(payment === newer && {timestamp: '2026-11-22T01:10:00.000Z'}),
  })
  service.report('overpaid', newer, older)
  const {json} = await call()
  assert.deepEqual(
    json.payments.map(({transactionId}) => transactionId),
    ['0xa', '0xb'],
  )
  await webhook()
  await checkout.settle()
  assert.deepEqual(told, ['payment_after_archive'])
  service.report('overpaid')
  assert.equal((await call()).json.refund, undefined)
  assert.equal((await give()).status, 400)
  service.report('overpaid', older)
  assert.equal((await give()).json.refund, 'asked')
})

test('an archived charge without money left over has expired for its page, and a service that forgets it changes nothing', async () => {
  const {service, call, give, webhook, store} = await archived('paid', {transaction_id: '0xa'})
  assert.deepEqual([(await call()).json.code, (await give()).json.code], ['expired', 'expired'])
  const before = await store.get('charge/c1')
  service.next['getCharge'] = [status(404)]
  await webhook()
  assert.deepEqual([await store.get('charge/c1'), service.next['getCharge']], [before, []])
})
