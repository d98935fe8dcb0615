/** What the simulation needs on Node. */
import known from '../fixtures/pairs.json' with {type: 'json'}
import {sessionTab} from './session-tab.js'
import type {SimulationEnvironment} from './simulation.js'

// Node 20 has no `navigator`; the client reads `onLine`.
Object.defineProperty(globalThis, 'navigator', {value: {onLine: true}, configurable: true})

export const environment: SimulationEnvironment = {
  known,
  tab: sessionTab,
  turn: () => new Promise(resolve => setImmediate(resolve)),
}
