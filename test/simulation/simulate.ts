/**
 * Plays random histories from one seed, as a process of its own: `node:test` watches every promise that is made, which
 * takes as long as the histories themselves. Prints what came of them as JSON.
 */
import fc from 'fast-check'
import known from '../fixtures/pairs.json' with {type: 'json'}
import {sessionTab} from './session-tab.js'
import {histories, type History} from './steps.js'
import {simulate, type SimulationEnvironment} from './simulation.js'

export interface SimulationOptions {
  readonly seed: number
  readonly runs: number
  /** Milliseconds; a machine with much else to do plays fewer, and says how many. */
  readonly longest: number
  /** Whether a history that fails is made as short as it can be. */
  readonly shrinks: boolean
}

export interface SimulationResult {
  readonly histories: number
  readonly steps: number
  readonly states: readonly string[]
  readonly failure?: Failure
}

interface Failure {
  /** How many histories it took. */
  readonly after: number
  readonly path: string
  readonly says: string
  readonly history: History
}

const MOST_STEPS = 40

// Node 20 has none; the client asks it whether the machine is offline.
Object.defineProperty(globalThis, 'navigator', {value: {onLine: true}, configurable: true})

export const environment: SimulationEnvironment = {
  known,
  tab: sessionTab,
  turn: () => new Promise(resolve => setImmediate(resolve)),
}

async function playMany({seed, runs, longest, shrinks}: SimulationOptions): Promise<SimulationResult> {
  let played = 0
  let steps = 0
  const states = new Set<string>()
  const property = fc.asyncProperty(histories(MOST_STEPS), async history => {
    const outcome = await simulate(history, environment)
    played++
    steps += outcome.steps
    for (const state of outcome.states) states.add(state)
    if (outcome.breaches.length > 0) throw new Error(outcome.breaches.join('\n'))
  })
  const {failed, counterexample, errorInstance, counterexamplePath, numRuns} = await fc.check(property, {
    numRuns: runs,
    seed,
    interruptAfterTimeLimit: longest,
    markInterruptAsFailure: false,
    endOnFailure: !shrinks,
  })
  const totals = {histories: played, steps, states: [...states]}
  if (!failed || !counterexample) return totals
  const [history] = counterexample
  const says = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return {...totals, failure: {after: numRuns, path: counterexamplePath ?? '', says, history}}
}

if (process.argv[1]?.endsWith('simulate.ts'))
  console.log(JSON.stringify(await playMany(JSON.parse(process.argv[2] ?? '{}') as SimulationOptions)))
