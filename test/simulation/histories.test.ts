/**
 * Simulates thousands of random histories of one charge and checks the ten invariants after every step. A failing
 * history is shortened. SIMULATION_SEED, SIMULATION_RUNS and SIMULATION_SECONDS choose the seed, the number and the time
 * limit.
 */
import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {it} from 'node:test'
import {promisify} from 'node:util'
import type {SimulationOptions, SimulationResult} from './simulate.js'

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 60)
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1)
const TIME_LIMIT_MS = Number(process.env['SIMULATION_SECONDS'] ?? 120) * 1000
/** A constant, because each process has its own seed: the same seed gives the same histories on every machine. */
const PROCESSES = 2

it(`the ten invariants hold in up to ${RUNS} random histories, from seed ${SEED}`, async test => {
  const seeds = Array.from({length: PROCESSES}, (_, index) => SEED * PROCESSES + index)
  const all = await Promise.all(seeds.map(simulateFrom))
  const sum = (of: (result: SimulationResult) => number) =>
    all.reduce((total, result) => total + of(result), 0)
  test.diagnostic(`${sum(({histories}) => histories)} histories, ${sum(({steps}) => steps)} steps`)
  all.forEach(({failure}, index) => {
    if (!failure) return
    const {after, path, message, history} = failure
    assert.fail(
      [
        `after ${after * PROCESSES} histories (process ${index}, path ${path}):`,
        message,
        'add it to test/simulation/regressions.json:',
        JSON.stringify(history),
      ].join('\n'),
    )
  })
})

async function simulateFrom(seed: number): Promise<SimulationResult> {
  const shrink = process.env['SIMULATION_SHRINK'] !== 'no'
  const options: SimulationOptions = {
    seed,
    runs: Math.ceil(RUNS / PROCESSES),
    timeLimitMs: TIME_LIMIT_MS,
    shrink,
  }
  const args = ['--import', 'tsx', 'test/simulation/simulate.ts', JSON.stringify(options)]
  const {stdout} = await promisify(execFile)('node', args, {maxBuffer: 100_000_000})
  return JSON.parse(stdout) as SimulationResult
}
