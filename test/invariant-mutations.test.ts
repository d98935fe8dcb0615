/** The edits that break an invariant on purpose fit the code. `npm run test:mutation invariants` applies them. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {invariantMutations} from './simulation/invariant-mutations.js'

for (const mutation of invariantMutations)
  test(`invariant ${mutation.invariant}: the code to edit occurs once, so that ${mutation.change}`, () => {
    for (const {file, from, to} of 'edits' in mutation ? mutation.edits : [mutation]) {
      assert.equal(readFileSync(file, 'utf8').split(from).length - 1, 1, `${file}: ${from}`)
      assert.notEqual(from, to)
    }
  })
