import {spawn} from 'node:child_process'
import {once} from 'node:events'

/** Runs a script that `bundled` has made. @returns what it printed, and its signal or exit code */
export async function runProcess(path: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [path, ...args], {stdio: ['ignore', 'pipe', 'inherit']})
  let printed = ''
  child.stdout.on('data', chunk => (printed += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return {printed, end: signal ?? code}
}
