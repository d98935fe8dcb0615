/** The code of docs/frameworks.md is code of the demo's apps, which are built and paid through. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'

const docs = readFileSync('docs/frameworks.md', 'utf8')
const blocks = [...docs.matchAll(/^```\w+\n([^]*?)^```$/gm)]
const named = [...docs.matchAll(/^\[.+\]\(<?\.\.\/(demo\/.+?)>?\)\n\n```\w+\n([^]*?)^```$/gm)]

test('every block of code on the page names its file', () => {
  assert.equal(named.length, blocks.length)
  assert(named.length > 10)
})

for (const [, file = '', code = ''] of named)
  test(`${file} says what the page says: ${code.split('\n')[0] ?? ''}`, () => {
    assert(flat(readFileSync(file, 'utf8')).includes(flat(code)), code)
  })

/** Lines without their indentation, because an excerpt has less of it. */
function flat(code: string): string {
  return code.trim().replaceAll(/\n\s*/g, '\n')
}
