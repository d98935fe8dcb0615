/** Transactions of a browser wallet, encoded with viem. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {encodeFunctionData, erc20Abi, getAddress} from 'viem'
import {activatedFixture} from './fixture.js'

describe('a transaction of a browser wallet', () => {
  async function activated() {
    const {sandbox, chargeId} = await activatedFixture()
    const pair = sandbox.charge(chargeId)?.cryptoCharges[0]?.activated[0]
    assert.ok(pair)
    const token = sandbox.tokens.find(({asset, network}) => asset === pair.asset && network === pair.network)
    assert.ok(token?.contract)
    const transfer = (units: bigint, to = pair.address) =>
      encodeFunctionData({abi: erc20Abi, functionName: 'transfer', args: [getAddress(to), units]})
    return {sandbox, chargeId, pair, token, contract: token.contract, transfer}
  }

  it('is recorded with exactly its amount', async () => {
    const {sandbox, chargeId, pair, contract, transfer} = await activated()
    const data = transfer(12_345_678_900_000_000_000n)
    const {recorded} = sandbox.transact({network: pair.network, to: contract, data})
    assert.equal(recorded, true)
    const [payment] = sandbox.charge(chargeId)?.payments ?? []
    assert.equal(String(payment?.data.value.crypto.amount), '12.3456789')
  })

  it('is rejected without a token of the network, a transfer, or an address of the sandbox', async () => {
    const {sandbox, pair, contract, transfer} = await activated()
    const {network} = pair
    const unknown = `0x${'11'.repeat(20)}`
    for (const [request, message] of [
      [{network, to: unknown, data: transfer(1n)}, /no such coin or token/],
      [{network, to: contract, data: '0x095ea7b3'}, /not a token transfer/],
      [{network, to: contract, data: transfer(1n, unknown)}, /not a deposit address/],
    ] as const)
      assert.throws(() => sandbox.transact(request), message)
  })
})
