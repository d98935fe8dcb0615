import {once} from 'node:events'
import {createServer} from 'node:net'

/**
 * A free port of the loopback interface, for a program that does not choose one itself. It is below the ports that systems
 * give to outgoing connections (32768 and up on Linux): one of those could take it before the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
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
