import {once} from 'node:events'
import {createServer} from 'node:net'

/** Below the ports that systems give to outgoing connections (32768 and up on Linux), any of which may be taken at any time. */
const [FIRST, COUNT] = [10_000, 20_000]
let last = Math.floor(Math.random() * COUNT)

/**
 * A free port of the loopback interface, for a program that does not choose one itself. No call returns the port of another,
 * because programs listen on theirs only later.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % COUNT
    const port = FIRST + last
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
