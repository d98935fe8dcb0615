/** What an attacker sends. Rates and numbers are those of one machine on a home connection, or of 200 of them. */

import {randomBytes} from 'node:crypto'

export interface Flood {
  /** Connections that are held open. */
  readonly connections: number
  /** Written once on each connection: about one charge, or about all that the attacker knows. */
  readonly first: (charge: string, all: readonly string[]) => string
  /** Written on each connection every second: a slow client. */
  readonly drip?: string
  /** Complete requests per second, over all connections, which are opened again when the server closes them. */
  readonly rate?: number
}

const head = (...lines: string[]) => [...lines, 'host: 127.0.0.1', '', ''].join('\r\n')
const post = (path: string, length: number) =>
  head(`POST /crypto-checkout${path} HTTP/1.1`, 'content-type: application/json', `content-length: ${length}`)

export const floods: Readonly<Record<string, Flood>> = {
  'slow-headers': {
    connections: 2_000,
    first: charge => `GET /crypto-checkout/charges/${charge} HTTP/1.1\r\nhost: 127.0.0.1\r\n`,
    drip: 'x-slow: 1\r\n',
  },
  'slow-bodies': {
    connections: 2_000,
    first: charge => `${post(`/charges/${charge}/quote`, 1_000)}{`,
    drip: ' ',
  },
  /** Each id is unknown, so that each open within the limits costs a read of the service. */
  opens: {
    connections: 200,
    first: () => `${post(`/charges/${Math.random().toString(36).slice(2)}`, 2)}{}`,
    rate: 500,
  },
  reads: {
    connections: 200,
    first: charge => head(`GET /crypto-checkout/charges/${charge} HTTP/1.1`),
    rate: 1_000,
  },
  webhooks: {
    connections: 200,
    first: charge => `${post('/webhook', charge.length + 10)}{"id": "${charge}"}`,
    rate: 500,
  },
  /** Each webhook names 200 charges that do not exist, and an address sends just less than the limit. */
  candidates: {
    connections: 20,
    first: () => {
      const ids = Array.from({length: 200}, () => randomBytes(12).toString('hex'))
      const body = JSON.stringify(ids)
      return `${post('/webhook', body.length)}${body}`
    },
    rate: 98,
  },
  /** Each webhook names 20 charges. The service may get one call a second for each. */
  amplification: {
    connections: 30,
    first: (_charge, all) => {
      const body = JSON.stringify(all)
      return `${post('/webhook', body.length)}${body}`
    },
    rate: 30,
  },
}
