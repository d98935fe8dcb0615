/** The entry point in Node: the sandbox, also as a separate server. */
import {createServer} from 'node:http'
import type {HttpHandler} from '../http/index.js'
import {toNode, type NodeHandler} from '../http/node.js'
import {errorReply} from './reply.js'
import {SandboxCore, type SandboxOptions as CoreOptions} from './sandbox.js'
import {stateFile} from './state-file.js'

export interface SandboxOptions extends Omit<CoreOptions, 'storage'> {
  /** A JSON file that keeps what happened, for the next start. Default: all is in memory. */
  file?: string
}

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

  constructor({file, ...options}: SandboxOptions = {}) {
    super(file === undefined ? options : {...options, storage: stateFile(file)})
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

/** @throws if NODE_ENV is production, the key is not a test key, or the file is damaged */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new Sandbox(options)
}

export type {CatalogueAsset, CatalogueNetwork} from './catalogue.js'
export type {Fault} from './faults.js'
export {InvalidInputError} from './invalid-input-error.js'
export type {Operation} from './operations.js'
export type {ElsewhereRequest, PayRequest} from './requests.js'
export {createSandboxCore, SandboxCore, type PayResult} from './sandbox.js'
export type {LostPayment} from './state.js'
export type {WebhookFormat} from './webhook-formats.js'
export type {Deliver} from './webhooks.js'
