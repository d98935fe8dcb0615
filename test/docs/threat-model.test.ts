/** The threat model names tests that exist, so that a defence is not claimed after its test has gone. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'

const page = readFileSync('docs/threat-model.md', 'utf8')
const rows = page.split('\n').filter(line => /^\| [STRIDE, ]+: /.test(line))

test('every row of the threat model names a test, and each named test exists', () => {
  assert.ok(rows.length > 30)
  for (const row of rows) {
    const named = [...row.matchAll(/`(test\/[^`]+)`(?:: "([^"]+)")?/g)]
    assert.ok(named.length > 0, row)
    for (const [, file = '', title = ''] of named)
      assert.ok(readFileSync(file, 'utf8').includes(title), `${file} has no test “${title}”`)
  }
})

test('the threat model has a row for each kind of attack, and fits on two pages', () => {
  for (const letter of 'STRIDE')
    assert.ok(
      rows.some(row => row.slice(0, row.indexOf(':')).includes(letter)),
      letter,
    )
  const words = page.replaceAll(/`test\/[^|]*/g, '').match(/\p{L}+/gu) ?? []
  assert.ok(words.length < 1_000, `${words.length} words without the names of tests`)
})
