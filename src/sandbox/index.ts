/** The entry point in Node: the sandbox, also as a separate server. */
import {createServer} from 'node:http'
import type {HttpHandler} from '../http/index.js'
import {toNode, type NodeHandler} from '../http/node.js'
import {errorReply} from './reply.js'
import {SandboxCore, type SandboxOptions} from './sandbox.js'

export interface ListenOptions {
  /** Default: any free port. */
  port?: number
}

export interface RunningSandbox {
  readonly url: string
  close(): Promise<void>
}

export class Sandbox extends SandboxCore {
  readonly node: NodeHandler = toNode(this.handler)
  readonly #hasOwnAddress: boolean

  constructor(options: SandboxOptions = {}) {
    super(options)
    this.#hasOwnAddress = options.baseUrl !== undefined
  }

  /** Listens on 127.0.0.1 only, because the control API has no authentication. Rejects if the port is in use. */
  listen({port = 0}: ListenOptions = {}): Promise<RunningSandbox> {
    const handler: HttpHandler = async request =>
      (await this.handler(request)) ?? errorReply(404, 'no such path; GET /sandbox/ lists the paths')
    const serve = toNode(handler)
    const server = createServer((req, res) => void serve(req, res))
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        const address = server.address()
        const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`
        if (!this.#hasOwnAddress) this.baseUrl = url
        resolve({url, close})
      })
    })

    function close(): Promise<void> {
      return new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    }
  }
}

/** @throws if NODE_ENV is production or the key is not a test key */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new Sandbox(options)
}

export type {CatalogueAsset, CatalogueNetwork} from './catalogue.js'
export type {Fault} from './faults.js'
export {InvalidInputError} from './invalid-input-error.js'
export type {LostPayment} from './ledger.js'
export type {Operation} from './operations.js'
export type {ElsewhereRequest, PayRequest} from './requests.js'
export {createSandboxCore, SandboxCore, type PayResult, type SandboxOptions} from './sandbox.js'
export type {WebhookFormat} from './webhook-formats.js'
export type {Deliver} from './webhooks.js'
