/** A service that costs little: it has every copy of a template, and only answers GET. `{paid}` pays a copy. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {sendFigures} from './figures.js'
import {copyOf, PATH, recordTemplate} from './template.js'

const template = await recordTemplate()
let upstreamReads = 0
const paid = new Set<number>()
process.on('message', message => {
  if (message instanceof Object && 'paid' in message) paid.add(Number(message.paid))
})
sendFigures(() => ({upstreamReads}))

const server = createServer(({url = ''}, res) => {
  const id = url.slice(url.lastIndexOf('/') + 1)
  upstreamReads += 1
  const isCopy = /^[cf][0-9a-f]{23}$/.test(id)
  const index = parseInt(id.slice(1), 16)
  const bodies = paid.has(index) ? template.paid : template
  const text = url.startsWith(`${PATH}charge/`) ? bodies.charge : bodies.cryptoCharge
  const body = isCopy ? copyOf(template, text, index) : '{}'
  res
    .writeHead(isCopy ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
})
// Longer than the proxy keeps its connections.
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => {
  process.send?.({port: (server.address() as AddressInfo).port, template})
})
