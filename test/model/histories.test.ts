/**
 * Thousands of histories of one charge: random, seeded, shrunk when one fails, with the nine invariants held after every
 * step. A history that ever failed is kept in `kept.json`, and played first. `npm run model` plays fresh ones for
 * minutes; MODEL_SEED and MODEL_RUNS choose.
 */
import assert from 'node:assert/strict'
import {mkdirSync, writeFileSync} from 'node:fs'
import {after, describe, it} from 'node:test'
import fc from 'fast-check'
import kept from './kept.json' with {type: 'json'}
import {sessionTab} from './session-tab.js'
import {histories, type History} from './steps.js'
import {play, type Surround} from './world.js'

const RUNS = Number(process.env['MODEL_RUNS'] ?? 2_000)
const SEED = Number(process.env['MODEL_SEED'] ?? 1)
const MOST_STEPS = 40
const LONGEST = 120_000

// Node 20 has none; the client asks it whether the machine is offline.
Object.defineProperty(globalThis, 'navigator', {value: {onLine: true}, configurable: true})

const surround: Surround = {
  tab: sessionTab,
  turn: () => new Promise(resolve => setImmediate(resolve)),
}

describe('whatever happens to a charge, the nine invariants hold', () => {
  const reached = {histories: 0, steps: 0, states: new Set<string>()}

  async function breachesOf(history: History): Promise<readonly string[]> {
    const {breaches, steps, states} = await play(history, surround)
    reached.histories++
    reached.steps += steps
    for (const state of states) reached.states.add(state)
    return breaches
  }

  for (const {why, history} of kept as {why: string; history: History}[])
    it(`kept: ${why}`, async () => {
      assert.deepEqual(await breachesOf(history), [])
    })

  it(`in up to ${RUNS} random histories, from seed ${SEED}`, async test => {
    const property = fc.asyncProperty(histories(MOST_STEPS), async history => {
      const breaches = await breachesOf(history)
      assert.equal(breaches.length, 0, breaches.join('\n'))
    })
    const {failed, counterexample, errorInstance, seed, counterexamplePath, numRuns} = await fc.check(
      property,
      {
        numRuns: RUNS,
        seed: SEED,
        // A machine with much else to do plays fewer, and says how many.
        interruptAfterTimeLimit: LONGEST,
        markInterruptAsFailure: false,
      },
    )
    if (failed && counterexample) {
      const [history] = counterexample
      assert.fail(
        [
          `after ${numRuns} histories (seed ${seed}, path ${counterexamplePath}):`,
          errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
          'to be kept in test/model/kept.json:',
          JSON.stringify(history),
        ].join('\n'),
      )
    }
    test.diagnostic(`${reached.histories} histories, ${reached.steps} steps, ${reached.states.size} states`)
  })

  after(() => {
    mkdirSync('reports', {recursive: true})
    const {histories: played, steps, states} = reached
    const report = {seed: SEED, histories: played, steps, states: states.size, at: new Date().toISOString()}
    writeFileSync('reports/model.json', `${JSON.stringify(report, null, 2)}\n`)
  })
})
