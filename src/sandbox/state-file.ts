/** Keeps the state of a sandbox in a file. */
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import * as z from 'zod/mini'
import {stateSchema, type State, type StateStorage} from './state.js'

/** More takes so long to write that it is written once a second at most. */
const LARGE_LENGTH = 4_000_000
const PAUSE_MS = 1_000

/** Throws an error of one line if the file is damaged, or its folder cannot be created. */
export function stateFile(path: string): StateStorage {
  let isWaiting = false
  let length = 0
  attempt(path, 'written', () => mkdirSync(dirname(path), {recursive: true}))
  const text = attempt(path, 'read', () => readFileSync(path, 'utf8'))
  return {
    state: text === undefined ? undefined : parse(path, text),
    save(state) {
      if (isWaiting) return
      isWaiting = true
      if (length > LARGE_LENGTH) setTimeout(write, PAUSE_MS, state)
      // Together with the other changes of a request, and before its reply.
      else queueMicrotask(() => write(state))
    },
  }

  function write(state: State): void {
    isWaiting = false
    const text = JSON.stringify(state)
    length = text.length
    try {
      // Renamed, so that there is never half a file.
      const temporary = `${path}.${process.pid}`
      attempt(path, 'written', () => writeFileSync(temporary, text))
      attempt(path, 'written', () => renameSync(temporary, path))
    } catch (error) {
      // The simulation goes on in memory.
      process.emitWarning(String(error))
    }
  }
}

function parse(path: string, text: string): State {
  try {
    return z.parse(stateSchema, JSON.parse(text))
  } catch {
    throw new Error(`${named(path)} is damaged, or of another version: move or delete it to start without it`)
  }
}

/** @returns undefined if there is nothing to read */
function attempt<Result>(path: string, what: 'read' | 'written', act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (what === 'read' && code === 'ENOENT') return undefined
    throw new Error(`${named(path)} cannot be ${what} (${code})`, {cause: error})
  }
}

function named(path: string): string {
  return `the state of the sandbox in ${path}`
}
