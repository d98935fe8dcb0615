/** A service that costs little: it has every copy of a template, and only answers GET. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {sendFigures} from './figures.js'
import {copyOf, PATH, recordTemplate} from './template.js'

const template = await recordTemplate()
let upstreamReads = 0
sendFigures(() => ({upstreamReads}))

const server = createServer(({url = ''}, res) => {
  const id = url.slice(url.lastIndexOf('/') + 1)
  upstreamReads += 1
  const text = url.startsWith(`${PATH}charge/`) ? template.charge : template.cryptoCharge
  const isCopy = /^[cf][0-9a-f]{23}$/.test(id)
  const body = isCopy ? copyOf(template, text, parseInt(id.slice(1), 16)) : '{}'
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
