/** Lets a test decide when a file store makes each of its steps on the file system. */
import fs from 'node:fs'
import promises, {type FileHandle} from 'node:fs/promises'
import {syncBuiltinESMExports} from 'node:module'

const names = ['access', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm', 'stat'] as const

/**
 * @param around makes a step, or never; a sync, which only a power cut would show, is none
 * @returns what restores the file system, and closes the files of those that never go on
 */
export function interceptSteps(around: (step: () => Promise<unknown>, name: string) => Promise<unknown>) {
  const opened = new Set<FileHandle>()
  const originals = {...promises}
  const {fsync} = fs
  const intercept = (owner: object, name: string) => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => Promise<unknown>
    const replacement = async (...args: unknown[]) => {
      const result = await around(() => Reflect.apply(original, owner, args), name)
      if (name === 'close') opened.delete(owner as FileHandle)
      if (name !== 'open') return result
      opened.add(result as FileHandle)
      for (const method of ['writeFile', 'close']) intercept(result as FileHandle, method)
      return result
    }
    Reflect.set(owner, name, replacement)
  }
  for (const name of names) intercept(promises, name)
  const sync = (_: number, done: (error: Error | null) => void) => {
    around(() => Promise.resolve(), 'fsync').then(() => done(null), done)
  }
  Object.assign(fs, {fsync: sync})
  syncBuiltinESMExports()
  return {
    restore() {
      Object.assign(promises, originals)
      Object.assign(fs, {fsync})
      syncBuiltinESMExports()
    },
    closeFiles: () => Promise.all([...opened].map(file => file.close())),
  }
}
