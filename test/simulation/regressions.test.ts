/** Histories of one charge that once broke an invariant, from `histories.test.ts`. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {environment} from './environment.js'
import regressions from './regressions.json' with {type: 'json'}
import {simulate} from './simulation.js'
import type {History} from './steps.js'

describe('the ten invariants hold in a history that once failed', () => {
  for (const {why, ...history} of regressions as (History & {why: string})[])
    it(why, async () => {
      const {violations} = await simulate(history, environment)
      assert.deepEqual(violations, [])
    })
})
