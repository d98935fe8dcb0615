import type {RunningServer} from './run-server.js'

/** A database server of a test. */
export interface SqlServer extends RunningServer {
  readonly port: number
  /** With the user. */
  readonly url: string
}
