import {EventEmitter, once} from 'node:events'
import {connect, createServer, type AddressInfo, type Socket} from 'node:net'

export interface BreakableProxy {
  readonly port: number
  /** Forwards nothing more over the connections of now, and closes none, as a firewall. Resolves when bytes are lost. */
  dropPackets(): Promise<unknown>
  close(): void
}

/**
 * Forwards connections to a port of the loopback interface.
 *
 * @param breaks returns true to break all connections instead of forwarding these bytes, or a promise to do it later
 */
export async function breakableProxy(
  port: number,
  breaks: (bytes: Buffer, from: 'client' | 'server') => boolean | Promise<unknown>,
): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  const dropping = new Set<Socket>()
  const events = new EventEmitter()
  const breakConnections = () => sockets.forEach(socket => socket.destroy())
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    const forward = (bytes: Buffer, from: 'client' | 'server') => {
      if (dropping.has(near)) return void events.emit('dropped')
      const decision = breaks(bytes, from)
      if (decision === false) (from === 'client' ? far : near).write(bytes)
      else void Promise.resolve(decision).then(breakConnections)
    }
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined))
    near.on('data', bytes => forward(bytes, 'client'))
    far.on('data', bytes => forward(bytes, 'server'))
    near.on('close', () => dropping.has(near) || far.destroy())
    far.on('close', () => dropping.has(near) || near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dropPackets = () => {
    for (const socket of sockets) dropping.add(socket)
    return once(events, 'dropped')
  }
  const close = () => {
    breakConnections()
    server.close()
  }
  return {port: (server.address() as AddressInfo).port, dropPackets, close}
}
