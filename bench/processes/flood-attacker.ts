/** Floods a port when its parent says so, until `stop`. */
import {connect, type Socket} from 'node:net'
import {floods, type Flood} from '../flood/floods.js'

const {port, charges} = JSON.parse(process.argv[2] ?? '{}') as {port: number; charges: readonly string[]}
let figures = () => ({})
let stop = () => {}

function start({connections, first, drip, rate}: Flood, addresses: number): void {
  const statuses: Record<string, number> = {}
  const sockets = new Map<number, Socket>()
  let isStopped = false
  const request = (index: number) => first(charges[index % charges.length] ?? '', charges)

  const open = (index: number) => {
    if (isStopped) return
    const peer = index % addresses
    const localAddress = `127.0.${1 + Math.floor(peer / 250)}.${1 + (peer % 250)}`
    const socket = connect({port, host: '127.0.0.1', localAddress})
    sockets.set(index, socket)
    if (rate === undefined) socket.on('connect', () => socket.write(request(index)))
    socket.on('data', data => {
      for (const [, status = ''] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g))
        statuses[status] = (statuses[status] ?? 0) + 1
    })
    socket.on('error', () => (statuses['reset'] = (statuses['reset'] ?? 0) + 1))
    socket.on('close', () => setTimeout(open, 1_000, index))
  }
  for (let index = 0; index < connections; index++) open(index)

  const timers: NodeJS.Timeout[] = []
  if (drip) {
    const write = () => sockets.forEach(socket => socket.readyState === 'open' && socket.write(drip))
    timers.push(setInterval(write, 1_000))
  }
  if (rate) {
    let sent = 0
    const started = performance.now()
    const write = () => {
      for (const due = ((performance.now() - started) / 1000) * rate; sent < due; sent++) {
        const socket = sockets.get(sent % connections)
        if (socket?.writable && socket.writableLength === 0) socket.write(request(sent))
      }
    }
    timers.push(setInterval(write, 10))
  }
  figures = () => ({
    responses: JSON.stringify(statuses),
    connections: [...sockets.values()].filter(socket => socket.readyState === 'open').length,
  })
  stop = () => {
    isStopped = true
    timers.forEach(clearInterval)
    sockets.forEach(socket => socket.destroy())
  }
}

process.on('message', (message: 'figures' | 'stop' | {name: string; addresses: number}) => {
  if (message === 'figures') process.send?.(figures())
  else if (message === 'stop') stop()
  else {
    const flood = floods[message.name]
    if (!flood) throw new Error(`no such flood: ${message.name}; there are ${Object.keys(floods).join(', ')}`)
    start(flood, message.addresses)
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({})
