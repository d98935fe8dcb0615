/** The command that prints the journal of a charge from a store folder. */
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
    ['opened', 'minting', 'minted', 'quoting', 'quoted', 'observed', 'observed', 'notified', 'notified'],
  )
  assert.ok(lines[4]?.includes(`${quote.amount} USDT on bsc to ${quote.address} for 49.90 USD`))
  assert.match(lines[5] ?? '', /pending; .* USDT CONFIRMED in 0x/)
  assert.match(lines[6] ?? '', /observed +paid$/)
  assert.match(lines[8] ?? '', /paid: done/)
  await rm(folder, {recursive: true})
})

test('the journal command prints one line about a wrong argument', async () => {
  for (const [args, line, exitCode = 1] of [
    [['../x'], /charge id is not valid/],
    [[], /^usage: crypto-checkout journal <charge id>/, 2],
    [['c1', '--store', '/nowhere/at/all'], /no store folder/],
    [['c1', '--store', tmpdir()], /no journal of c1/],
    [['c1', '--store', tmpdir(), '--prefix', 'shop'], /a store folder has no prefix/],
  ] as const) {
    const lines = await linesOf(journalCommand, ...args)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', line)
    assert.equal(process.exitCode, exitCode)
    process.exitCode = undefined
  }
})
