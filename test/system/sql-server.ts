/** A database server of a test. */
export interface SqlServer {
  readonly port: number
  /** With the user. */
  readonly url: string
  /** Ends it as a crash does, and starts it again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}
