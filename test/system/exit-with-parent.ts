import {spawn, type ChildProcess} from 'node:child_process'

/**
 * Ends a child, with its process group if it leads one, also when this process is killed by a signal that it cannot
 * handle: a shell waits for the end of a pipe that only this process holds.
 */
export function exitWithParent(child: ChildProcess, {group = false} = {}): void {
  const {pid} = child
  if (pid === undefined) return
  const script = `cat; kill -KILL ${group ? -pid : pid}`
  const guard = spawn('sh', ['-c', script], {detached: true, stdio: ['pipe', 'ignore', 'ignore']})
  // Before the pipe ends, because its end makes the guard act.
  child.once('exit', () => guard.kill('SIGKILL'))
  guard.unref()
}
