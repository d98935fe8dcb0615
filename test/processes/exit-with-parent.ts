import {spawn, type ChildProcess} from 'node:child_process'

/**
 * Ends a child, with its process group if it leads one, also when this process is killed and can end nobody: a shell
 * waits for the end of a pipe that only we hold.
 */
export function exitWithParent(child: ChildProcess, leads: 'a group' | 'nobody'): void {
  const {pid} = child
  if (pid === undefined) return
  const script = `cat; kill -KILL ${leads === 'a group' ? -pid : pid}`
  const watchman = spawn('sh', ['-c', script], {detached: true, stdio: ['pipe', 'ignore', 'ignore']})
  // Told before the pipe ends, which would have it act.
  child.once('exit', () => watchman.kill('SIGKILL'))
  watchman.unref()
}
