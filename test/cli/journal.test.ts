/** The command that prints the log of a charge from a store folder. */
import assert from 'node:assert/strict'
import {tmpdir} from 'node:os'
import {test} from 'node:test'
import {journalCommand} from '../../src/cli/journal.js'
import {linesOf} from './shop.js'

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
