/** `connect` of `cloudflare:sockets`, over the sockets of Node. */
import {once} from 'node:events'
import {connect as connectTcp} from 'node:net'
import {Readable, Writable} from 'node:stream'
import {connect as connectTls} from 'node:tls'
import type {Connect} from '../../src/workers/worker-socket.js'

export const connectOnNode: Connect = (address, {secureTransport}) => {
  const {hostname: host, port} = new URL(`telnet://${address}`)
  const isSecure = secureTransport === 'on'
  const options = {host, port: Number(port)}
  const socket = isSecure ? connectTls(options) : connectTcp(options)
  const opened = once(socket, isSecure ? 'secureConnect' : 'connect')
  socket.on('error', () => undefined)
  return {
    readable: Readable.toWeb(socket) as ReadableStream<Uint8Array>,
    writable: Writable.toWeb(socket) as WritableStream<Uint8Array>,
    opened,
    close: () => Promise.resolve(socket.destroy()),
  }
}
