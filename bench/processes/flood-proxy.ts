/** The proxy of a flood: with its default limits, the timeouts of docs/going-live.md, and open charges. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {sendFigures} from './figures.js'
import {fillStore, type Template} from './template.js'

interface Options {
  readonly baseUrl: string
  readonly template: Template
  readonly charges: number
}

const {baseUrl, template, charges} = JSON.parse(process.argv[2] ?? '{}') as Options
const store = memoryStore()
await fillStore(store, template, charges)
const logger = {info() {}, warn() {}, error() {}}
const checkout = createCheckout({apiKey: 'TEST;PK;flood', baseUrl, store, logger})
const server = createServer({connectionsCheckingInterval: 1_000}, (req, res) => void checkout.node(req, res))
server.headersTimeout = 10_000
server.requestTimeout = 20_000
sendFigures(() => ({}))
server.listen(0, '127.0.0.1', () => process.send?.({port: (server.address() as AddressInfo).port}))
