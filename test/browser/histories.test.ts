/** Random histories as in `test/model`, with the drawn element, read from the screen. Fewer, since drawing takes longer. */
import {assert} from '@open-wc/testing'
import fc from 'fast-check'
import '../../src/index.js'
import type {KnownPair} from '../simulation/invariant-checker.js'
import {histories} from '../simulation/steps.js'
import {simulate} from '../simulation/simulation.js'
import {elementTabs} from './element-tab.js'
import {startFlushing} from './flush-promises.js'

const RUNS = 250
const SEED = 3
const MOST_STEPS = 40
const LONGEST = 30_000

describe('the invariants hold on screen in random histories', function () {
  this.timeout(LONGEST * 3)

  it(`in up to ${RUNS} random histories, from seed ${SEED}`, async () => {
    const fixture = await fetch(new URL('../fixtures/pairs.json', import.meta.url))
    const known = (await fixture.json()) as KnownPair[]
    const surround = {tab: await elementTabs(), turn: startFlushing(), known}
    const property = fc.asyncProperty(histories(MOST_STEPS), async history => {
      const {violations} = await simulate(history, surround)
      if (violations.length > 0) throw new Error(violations.join('\n'))
    })
    const {failed, counterexample, errorInstance, numRuns} = await fc.check(property, {
      numRuns: RUNS,
      seed: SEED,
      interruptAfterTimeLimit: LONGEST,
      markInterruptAsFailure: false,
      endOnFailure: true,
    })
    assert.isFalse(
      failed,
      `after ${numRuns} histories: ${errorInstance instanceof Error ? errorInstance.message : ''}\n${JSON.stringify(counterexample)}`,
    )
  })
})
