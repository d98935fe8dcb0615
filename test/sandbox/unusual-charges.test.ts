/** What the specification does not exclude: payments elsewhere, failed payments, forgotten charges. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {operations} from '../../src/sandbox/operations.js'
import {activatedFixture, callOf, usdtOnBsc, type Fixture} from './fixture.js'

const statusOf = async ({client, chargeId}: Fixture) => {
  const {status, payments} = JSON.parse((await client.getCharge(chargeId)).body)
  return [status.value, payments?.length]
}
const listedPayments = async ({client, cryptoChargeId}: Fixture) =>
  JSON.parse((await client.getCryptoCharge(cryptoChargeId)).body).wallet.payments

describe('an unconfirmed payment', () => {
  async function pendingFixture() {
    const fixture = await activatedFixture()
    const pending = {...usdtOnBsc, confirmed: false}
    const {transactionId, paymentId = ''} = fixture.sandbox.pay(fixture.chargeId, pending)
    return {...fixture, transactionId, paymentId}
  }

  it('can be dropped, and confirmed after that', async () => {
    const fixture = await pendingFixture()
    const {sandbox, client, transactionId, paymentId} = fixture
    sandbox.dropPayment(transactionId)
    assert.deepEqual(await listedPayments(fixture), [])
    assert.equal((await client.verifyPayment(paymentId)).status, 404)
    sandbox.confirm(transactionId)
    assert.equal((await listedPayments(fixture))[0].status, 'CONFIRMED')
    for (const end of ['dropPayment', 'failPayment'] as const)
      assert.throws(() => sandbox[end](transactionId), /confirmed/)
  })
})

describe('the status of a charge', () => {
  it('can be set, whatever was paid', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    sandbox.setStatus(chargeId, 'paid')
    assert.deepEqual(await statusOf(fixture), ['paid', undefined])
    sandbox.pay(chargeId, {...usdtOnBsc, amount: '0.01'})
    assert.deepEqual(await statusOf(fixture), ['paid', undefined])
    sandbox.setStatus(chargeId, null)
    assert.deepEqual(await statusOf(fixture), ['underpaid', undefined])
  })
})

describe('a charge that the service has forgotten', () => {
  it('gets 404 from every operation until it is known again', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: 'part'})
    for (const forgotten of [true, false]) {
      sandbox.forget(chargeId, forgotten)
      for (const operation of operations)
        if (operation !== 'createCharge') {
          const {status} = await callOf[operation](fixture, paymentId)
          assert.equal(status, forgotten ? 404 : 200, operation)
        }
      assert.equal(sandbox.charge(chargeId)?.payments.length, 1)
    }
  })
})
