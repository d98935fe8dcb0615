/** The command that prints the log of a charge from a store folder. */
import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {journalCommand} from '../../src/cli/journal.js'
import {fileStore} from '../../src/node/index.js'
import {linesOf, startShop} from './shop.js'

test('the journal command prints what was shown, observed and notified', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  const {checkout, place} = startShop(fileStore(folder), {onPaid: () => undefined})
  const {chargeId, quote} = await place({pays: true})
  await checkout.close()

  const lines = await linesOf(journalCommand, chargeId, '--store', folder)
  assert.deepEqual(
    lines.map(line => line.slice(26).split(/\s+/)[0]),
    ['opened', 'minted', 'quoted', 'payment', 'status', 'told'],
  )
  for (const shown of ['symbol USDT', 'network bsc', `amount ${quote.amount}`, `address ${quote.address}`])
    assert.ok(lines[2]?.includes(shown), `${shown} in ${lines[2]}`)
  assert.match(lines[3] ?? '', /transactionId 0x/)
  assert.match(lines[4] ?? '', /status paid$/)
  assert.match(lines[5] ?? '', /subject paid$/)
  await rm(folder, {recursive: true})
})

test('the journal command prints one line about a wrong argument', async () => {
  for (const [args, line, exitCode = 1] of [
    [['../x'], /charge id is not valid/],
    [[], /^usage: crypto-checkout journal <charge id>/, 2],
    [['c1', '--store', '/nowhere/at/all'], /no store folder/],
    [['c1', '--store', tmpdir()], /no log of c1/],
    [['c1', '--store', tmpdir(), '--prefix', 'shop'], /a store folder has no prefix/],
  ] as const) {
    const lines = await linesOf(journalCommand, ...args)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', line)
    assert.equal(process.exitCode, exitCode)
    process.exitCode = undefined
  }
})
