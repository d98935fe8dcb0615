/** Random histories as in `test/simulation`, with the rendered element. Fewer, because rendering takes longer. */
import {assert} from '@open-wc/testing'
import fc from 'fast-check'
import '../../src/index.js'
import known from '../fixtures/pairs.json' with {type: 'json'}
import {histories} from '../simulation/steps.js'
import {simulate} from '../simulation/simulation.js'
import {elementTab} from './element-tab.js'
import {startFlushing} from './flush-promises.js'

const RUNS = 10
const SEED = 3
const MAX_STEPS = 40
const TIME_LIMIT_MS = 30_000

describe('the invariants hold on screen in random histories', function () {
  this.timeout(TIME_LIMIT_MS * 3)

  it(`in up to ${RUNS} random histories, from seed ${SEED}`, async () => {
    const environment = {tab: elementTab, turn: startFlushing(), known}
    const property = fc.asyncProperty(histories(MAX_STEPS), async history => {
      const {violations} = await simulate(history, environment)
      if (violations.length > 0) throw new Error(violations.join('\n'))
    })
    const {failed, counterexample, errorInstance, numRuns} = await fc.check(property, {
      numRuns: RUNS,
      seed: SEED,
      interruptAfterTimeLimit: TIME_LIMIT_MS,
      markInterruptAsFailure: false,
      endOnFailure: true,
    })
    assert.isFalse(
      failed,
      `after ${numRuns} histories: ${errorInstance instanceof Error ? errorInstance.message : ''}\n${JSON.stringify(counterexample)}`,
    )
  })
})
