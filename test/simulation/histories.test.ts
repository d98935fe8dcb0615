/**
 * Thousands of histories of one charge: random, seeded, shrunk when one fails, with the nine invariants held after every
 * step. A history that ever failed is kept in `regressions.json`, and played first. MODEL_SEED, MODEL_RUNS and
 * MODEL_SECONDS choose how many are played, and which.
 */
import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {describe, it} from 'node:test'
import {promisify} from 'node:util'
import regressions from './regressions.json' with {type: 'json'}
import {environment, type SimulationResult, type SimulationOptions} from './simulate.js'
import type {History} from './steps.js'
import {simulate} from './simulation.js'

const RUNS = Number(process.env['MODEL_RUNS'] ?? 2_000)
const SEED = Number(process.env['MODEL_SEED'] ?? 1)
const LONGEST = Number(process.env['MODEL_SECONDS'] ?? 120) * 1000
/** Processes that play, each from a seed of its own. However many cores there are, so that a seed means one thing. */
const PLAYERS = 2

describe('whatever happens to a charge, the nine invariants hold', () => {
  for (const {why, history} of regressions as {why: string; history: History}[])
    it(`regression: ${why}`, async () => {
      const {breaches} = await simulate(history, environment)
      assert.deepEqual(breaches, [])
    })

  it(`in up to ${RUNS} random histories, from seed ${SEED}`, async test => {
    const seeds = Array.from({length: PLAYERS}, (_, player) => SEED * PLAYERS + player)
    const all = await Promise.all(seeds.map(playFrom))
    const states = new Set(all.flatMap(played => played.states))
    const sum = (of: (played: SimulationResult) => number) =>
      all.reduce((total, played) => total + of(played), 0)
    const reached = {
      histories: sum(({histories}) => histories),
      steps: sum(({steps}) => steps),
      states: states.size,
    }
    test.diagnostic(`${reached.histories} histories, ${reached.steps} steps, ${reached.states} states`)
    all.forEach(({failure}, player) => {
      if (!failure) return
      const {after, path, says, history} = failure
      assert.fail(
        [
          `after ${after * PLAYERS} histories (player ${player}, path ${path}):`,
          says,
          'to be kept in test/model/regressions.json:',
          JSON.stringify(history),
        ].join('\n'),
      )
    })
  })
})

async function playFrom(seed: number): Promise<SimulationResult> {
  const shrinks = process.env['MODEL_SHRINK'] !== 'no'
  const toPlay: SimulationOptions = {seed, runs: Math.ceil(RUNS / PLAYERS), longest: LONGEST, shrinks}
  const args = ['--import', 'tsx', 'test/simulation/simulate.ts', JSON.stringify(toPlay)]
  const {stdout} = await promisify(execFile)('node', args, {maxBuffer: 100_000_000})
  return JSON.parse(stdout) as SimulationResult
}
