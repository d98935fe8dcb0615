import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {invariantMutations} from './invariant-mutations.js'

test('each edit that breaks an invariant replaces text that its file contains once', () => {
  const edits = invariantMutations.flatMap(mutation => ('edits' in mutation ? mutation.edits : [mutation]))
  const unfit = edits.filter(({file, from}) => readFileSync(file, 'utf8').split(from).length !== 2)
  assert.deepEqual(unfit, [])
})
