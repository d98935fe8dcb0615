/**
 * The network transport, by `node:http` and `node:https`, which behave alike on Node, Bun and Deno. `fetch` refuses a
 * GET with a body, which convert needs. Neither module follows redirects: the api-key would go with them.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import {RequestNotSentError, type Transport} from './transport.js'

/** Errors of a connection that was never established, for runtimes whose sockets do not report `connecting`. */
const NOT_CONNECTED = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])

/** Connections are not limited in number: reads that hang must not delay others. */
const agentOptions = {keepAlive: true}

export interface NetworkTransport {
  readonly send: Transport
  close(): void
}

export function createNetworkTransport(): NetworkTransport {
  const active = new Set<(reason: Error) => void>()
  const agents = {http: new http.Agent(agentOptions), https: new https.Agent(agentOptions)}

  const send: Transport = ({method, url, headers, body, signal, maxBytes}) => {
    if (signal.aborted) return Promise.reject(new RequestNotSentError(signal.reason))
    return new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:')
      const request = (isSecure ? https : http).request(url, {
        method,
        // What changes something has a connection of its own: one that is kept may have been closed by the service. And a server
        // that ignores the body of a GET would read it as the next request.
        agent: method === 'GET' && body === undefined ? agents[isSecure ? 'https' : 'http'] : false,
        // Without a length, Node sends the body of a GET without any framing.
        headers: body === undefined ? headers : {...headers, 'content-length': Buffer.byteLength(body)},
      })
      let isConnecting = false
      const end = () => {
        signal.removeEventListener('abort', abort)
        active.delete(cancel)
      }
      const fail = (error: unknown) => {
        end()
        reject(isConnecting || isNotConnected(error) ? new RequestNotSentError(error) : error)
      }
      // Without an error: a response that is complete has left its socket, where no handler is left for errors.
      const cancel = (reason: unknown) => {
        fail(reason)
        request.destroy()
      }
      const abort = () => cancel(signal.reason)
      signal.addEventListener('abort', abort)
      active.add(cancel)
      request.on('error', fail).on('close', () => fail(new Error('the connection was closed')))
      request.on('socket', socket => {
        isConnecting = socket.connecting
        if (isConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnecting = false))
      })
      request.on('response', response => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', fail).on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > maxBytes) cancel(new Error('the response is too large'))
        })
        response.on('end', () => {
          end()
          const names = Object.entries(response.headers).map(
            ([name, value]) => [name, String(value)] as const,
          )
          const text = new TextDecoder().decode(Buffer.concat(chunks))
          resolve({status: response.statusCode ?? 0, headers: Object.fromEntries(names), body: text})
        })
      })
      request.end(body)
    })
  }

  return {
    send,
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
      for (const cancel of active) cancel(new Error('the transport was closed'))
    },
  }
}

function isNotConnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_CONNECTED.has(String(error.code))
}
