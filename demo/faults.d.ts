/** The types of `faults.js` for the playground. */
import type {Fault} from '../src/sandbox/faults.js'
import type {Operation} from '../src/sandbox/operations.js'

export const operations: Readonly<Record<Operation | '*', string>>

export const faults: Readonly<Record<string, {readonly name: string; readonly fault: Fault}>>
