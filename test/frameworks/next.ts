/** `npm start` of the Next.js app, on any free port. */
import {once} from 'node:events'
import type {Project} from './project.js'

export interface NextServer {
  readonly url: string
  readonly output: () => string
  close(): Promise<void>
}

const STARTED = /http:\/\/127\.0\.0\.1:\d+/
const START_TIMEOUT_MS = 60_000

export async function serveNext(
  project: Project,
  env: Readonly<Record<string, string>>,
): Promise<NextServer> {
  const child = project.start('npm', ['start', '--', '--hostname', '127.0.0.1', '--port', '0'], env)
  const exited = once(child, 'close')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not started:\n${output}`)), START_TIMEOUT_MS)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [link] = STARTED.exec(output) ?? []
        if (link === undefined || !output.includes('Ready')) return
        clearTimeout(timer)
        resolve(link)
      })
    void exited.then(() => reject(new Error(`exited:\n${output}`)))
  })
  return {
    url,
    output: () => output,
    async close() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await exited
    },
  }
}
