import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import fc from 'fast-check'
import {formatUnits, parseUnits} from 'viem/utils'
import {withdrawal} from '../../src/core/withdrawal.js'
import {payableAmount} from '../../src/server/chains/index.js'

const rows = [
  ['100.25', '1', '101.25'],
  ['100.25', '0', '100.25'],
  ['100.25', '0.75', '101'],
  ['100', '0.5', '100.5'],
  ['100', ' 0,001 ', '100.001'],
  ['99.99999999', '٠٫٠٠٠٠٠٠٠١', '100'],
  // More places than the coin may have: not rounded.
  ['1.5', '0.0000000000000000001', '1.5000000000000000001'],
  ['0.000000000000000001', '9007199254740993', '9007199254740993.000000000000000001'],
  // One thousand, or one and no thousandths?
  ['100', '1,000', null],
  ['100', '1.250', null],
  ['100', '12.250', null],
  ['100', '4567.250', '4667.25'],
  ['100', '1.2505', '101.2505'],
  ['100', '', null],
  ['100', '-1', null],
  ['100', '1e3', null],
  ['100', '1.', null],
  ['100', '1.000.000', null],
  ['100', '1 USDT', null],
  ['100', '9'.repeat(60), null],
] as const

test('what to withdraw is the amount and the fee, in the digits and with the decimal sign of the customer', () => {
  for (const [amount, fee, sum] of rows) assert.equal(withdrawal(amount, fee), sum, `${amount} and ${fee}`)
})

test('invariant 2: for every pair it is the exact sum, so that never less than the amount arrives', () => {
  const pairs = JSON.parse(readFileSync('test/fixtures/pairs.json', 'utf8')) as {decimals: number}[]
  const quantity = fc.bigInt({min: 0n, max: 10n ** 27n})
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      quantity,
      quantity,
      fc.constantFrom('.', ','),
      ({decimals}, units, fee, sign) => {
        const amount = payableAmount(formatUnits(units, decimals), decimals)
        const typed = formatUnits(fee, decimals)
        const sum = withdrawal(amount, typed.replace('.', sign))
        // The one form that is not read.
        if (/^[1-9]\d{0,2}\.\d{3}$/.test(typed)) return assert.equal(sum, null)
        assert.match(sum ?? '', /^\d+(\.\d*[1-9])?$/)
        assert.equal(parseUnits(sum ?? '', decimals), parseUnits(amount, decimals) + fee)
        assert.ok(parseUnits(sum ?? '', decimals) - fee >= units)
      },
    ),
  )
})
