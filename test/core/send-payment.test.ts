/** What a wallet is asked, and what its answers say for certain. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {decodeFunctionData, erc20Abi, getAddress, isHex} from 'viem'
import {sendPayment} from '../../src/element/wallets/send-payment.js'
import type {Transaction, WalletCall, WalletQuote} from '../../src/element/wallets/wallet.js'
import {findNetwork} from '../../src/server/chains/index.js'
import {FakeClock} from '../fake-clock.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {quote} from './sample.js'

const account = '0x1111111111111111111111111111111111111111'
const hash = `0x${'ab'.repeat(32)}`
const tether: WalletQuote = {...quote(), contract: account, chainId: 56, baseUnits: '100050000000000000000'}

type Answer = (call: WalletCall, wallet: {chainId: string}, clock: FakeClock) => unknown
type Answers = Partial<Record<WalletCall['method'], Answer>>

/** Asks a wallet that answers as usual, except as a test says. */
async function ask(answers: Answers = {}, wanted = tether, chainId = '0x38', mayContinue = true) {
  const clock = new FakeClock(0)
  const wallet = {chainId}
  const calls: string[] = []
  const sent: Transaction[] = []
  const usual = (call: WalletCall): unknown => {
    switch (call.method) {
      case 'eth_requestAccounts':
        return [account]
      case 'eth_chainId':
        return wallet.chainId
      case 'wallet_switchEthereumChain':
        wallet.chainId = call.params[0].chainId
        return null
      case 'eth_getBalance':
      case 'eth_call':
        return `0x${'f'.repeat(32)}`
      case 'eth_sendTransaction':
        sent.push(call.params[0])
        return hash
    }
  }
  const provider = {
    async request(call: WalletCall) {
      calls.push(call.method)
      return (answers[call.method] ?? usual)(call, wallet, clock)
    },
  }
  const sending = sendPayment(
    provider,
    wanted,
    clock,
    () => Promise.resolve(mayContinue),
    () => undefined,
  )
  for (let waited = 0; waited < 3_000; waited += 100) await clock.advance(100)
  return {result: await sending, calls, sent}
}

const reject = (reason: unknown) => () => Promise.reject(reason)

const chainOf = new Map(pairs.map(({network}) => [network, findNetwork(network)?.chainId]))

for (const {symbol, network, contract} of pairs.filter(pair => chainOf.get(pair.network)))
  test(`invariant 2: ${symbol} on ${network} is sent exactly, with the chain and without gas, price and nonce`, async () => {
    const chainId = chainOf.get(network) ?? 0
    const {contract: _, ...coin} = tether
    const {result, sent} = await ask({}, {...coin, chainId, ...(contract && {contract})})
    assert.deepEqual(result, {hash})
    const {data, value, ...base} = sent[0] ?? assert.fail()
    const to = contract ?? tether.address
    assert.deepEqual(base, {from: account, to, chainId: `0x${chainId.toString(16)}`})
    if (contract === undefined) return assert.equal(BigInt(value ?? ''), BigInt(tether.baseUnits))
    assert.ok(isHex(data))
    const {functionName, args} = decodeFunctionData({abi: erc20Abi, data})
    const transfer = ['transfer', [getAddress(tether.address), BigInt(tether.baseUnits)]]
    assert.deepEqual([functionName, args], transfer)
  })

test('no other methods are called, and nothing is sent if the checkout has changed', async () => {
  const {calls} = await ask()
  const reads = ['eth_requestAccounts', 'eth_chainId', 'eth_getBalance', 'eth_call']
  assert.deepEqual(calls, [...reads, 'eth_sendTransaction'])
  const changed = await ask({}, tether, '0x38', false)
  assert.deepEqual([changed.result, changed.sent], ['changed', []])
})

test('the chain decides whether a switch has succeeded, and is used half a second later', async () => {
  const unknownChain = Object.assign(new Error('Unrecognized chain ID'), {code: 4902})
  const wrapped = {code: -32603, data: {originalError: unknownChain}}
  for (const answer of [reject(unknownChain), reject(wrapped), () => null]) {
    const {result, calls} = await ask({wallet_switchEthereumChain: answer}, tether, '0x1')
    assert.equal(result, 'network')
    const methods = ['eth_chainId', 'eth_requestAccounts', 'wallet_switchEthereumChain']
    assert.deepEqual([...new Set(calls)].sort(), methods)
  }
  const late: Answer = (_, wallet, clock) => {
    void clock.sleep(400).then(() => (wallet.chainId = '0x38'))
    throw unknownChain
  }
  let sentAt = 0
  const {result} = await ask(
    {
      wallet_switchEthereumChain: late,
      eth_sendTransaction: (_call, _wallet, clock) => ((sentAt = clock.now()), hash),
    },
    tether,
    '0x1',
  )
  assert.deepEqual([result, sentAt], [{hash}, 900])
})

const user = {code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.'}
const internal = {code: -32603, message: 'Internal JSON-RPC error.'}
/** Of the errors that wallets report when they are asked to send, and of hashes that are none. */
const answers: readonly (readonly [expected: string, ...answers: unknown[]])[] = [
  [
    'refused',
    ...[{code: 4001, message: 'User rejected the request.'}, {code: 5000}, {code: 'ACTION_REJECTED'}, user],
    ...[{...internal, data: {originalError: {code: 4001}}}, {message: 'User declined'}, 'Rejected by user'],
  ],
  ['asking', {code: -32002, message: 'pending'}],
  [
    'funds',
    ...[-32000, -32003].map(code => ({code, message: 'insufficient funds for gas * price + value'})),
    {...internal, data: {originalError: {code: -32000, message: 'Insufficient funds'}}},
    {code: 'CALL_EXCEPTION', message: 'missing revert data'},
    // As MetaMask's JSON-RPC engine wraps what ethers reports.
    ...['INSUFFICIENT_FUNDS', 'UNPREDICTABLE_GAS_LIMIT'].map(code => ({...internal, data: {cause: {code}}})),
  ],
  ['forbidden', {code: 4100, message: 'Unauthorized'}, {code: 5002, message: 'disapproved'}],
  ['network', {code: 4902, message: 'Unrecognized chain'}],
  [
    'unsure',
    ...[{message: 'already known: transaction rejected'}, {message: 'context canceled'}, internal],
    ...[{message: 'cancelled'}, {code: -32000, message: 'nonce too low'}, undefined],
  ],
]
for (const [expected, ...reasons] of answers)
  for (const reason of reasons)
    test(`${expected}: ${JSON.stringify(reason)}`, async () => {
      assert.equal((await ask({eth_sendTransaction: reject(reason)})).result, expected)
      if (expected !== 'refused') return
      for (const method of ['eth_requestAccounts', 'wallet_switchEthereumChain'] as const)
        assert.equal((await ask({[method]: reject(reason)}, tether, '0x1')).result, expected)
    })

test('nothing but 64 digits is the hash of a transaction, and a wallet without an account refuses', async () => {
  for (const value of ['ok', '0x12', `0x${'g'.repeat(64)}`, `0x${'a'.repeat(65)}`, {hash: '0x'}, null])
    assert.equal((await ask({eth_sendTransaction: () => value})).result, 'unsure')
  assert.equal((await ask({eth_requestAccounts: () => []})).result, 'refused')
})
