/**
 * Simulates random histories from one seed in a separate process, because `node:test` tracks every promise, which
 * doubles the time. Prints the result as JSON.
 */
import fc from 'fast-check'
import {environment} from './environment.js'
import {histories, type History} from './steps.js'
import {simulate} from './simulation.js'

export interface SimulationOptions {
  readonly seed: number
  readonly runs: number
  /** No history is started after this time; the result has the number of finished ones. */
  readonly timeLimitMs: number
  /** True to shorten a failing history. */
  readonly shrink: boolean
}

export interface SimulationResult {
  readonly histories: number
  readonly steps: number
  readonly failure?: Failure
}

interface Failure {
  /** The number of histories until the failure. */
  readonly after: number
  readonly path: string
  readonly message: string
  readonly history: History
}

const MAX_STEPS = 40

async function simulateMany({seed, runs, timeLimitMs, shrink}: SimulationOptions): Promise<SimulationResult> {
  let finished = 0
  let steps = 0
  const property = fc.asyncProperty(histories(MAX_STEPS), async history => {
    const outcome = await simulate(history, environment)
    finished++
    steps += outcome.steps
    if (outcome.violations.length > 0) throw new Error(outcome.violations.join('\n'))
  })
  const {failed, counterexample, errorInstance, counterexamplePath, numRuns} = await fc.check(property, {
    numRuns: runs,
    seed,
    interruptAfterTimeLimit: timeLimitMs,
    markInterruptAsFailure: false,
    endOnFailure: !shrink,
  })
  const totals = {histories: finished, steps}
  if (!failed || !counterexample) return totals
  const [history] = counterexample
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return {...totals, failure: {after: numRuns, path: counterexamplePath ?? '', message, history}}
}

console.log(JSON.stringify(await simulateMany(JSON.parse(process.argv[2] ?? '{}') as SimulationOptions)))
