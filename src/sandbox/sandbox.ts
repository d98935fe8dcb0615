/**
 * A simulation of the hosted service, with a control API. Runs in Node and in browsers. Time, randomness, webhook
 * transport and storage are options.
 */
import {toFetch, toTransport, type HttpHandler, type Transport} from '../http/index.js'
import {createControl} from './control.js'
import {Simulation, type SandboxOptions} from './simulation.js'

export type {PayResult, SandboxOptions} from './simulation.js'

export class SandboxCore extends Simulation {
  /** Serves the service below `/api/` and the control API below `/sandbox/`. */
  readonly handler: HttpHandler
  /** Calls the handler in this process. */
  readonly transport: Transport
  readonly fetch: (request: Request) => Promise<Response>

  constructor(options: SandboxOptions = {}) {
    super(options)
    const control = createControl(this)
    this.handler = async request => (await this.service(request)) ?? (await control(request))
    this.transport = toTransport(this.handler)
    this.fetch = toFetch(this.handler)
  }
}

/** @throws if NODE_ENV is production or the key is not a test key */
export function createSandboxCore(options: SandboxOptions = {}): SandboxCore {
  return new SandboxCore(options)
}
