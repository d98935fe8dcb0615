/**
 * A request and its reply, free of any server framework, so that the proxy and the sandbox run the same on bare
 * `node:http`, under a framework, behind a Fetch-style router, and inside a browser page.
 */
import type {MaybePromise} from './maybe-promise.js'

export interface HttpRequest {
  readonly method: string
  /** As it was sent: still percent-encoded, without the query, relative to the mount point. Starts with `/`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case; repeated ones joined with `, ` (RFC 9110, 5.3). */
  readonly headers: Readonly<Record<string, string>>
  /** The peer's address, as the adapter saw it; empty when it cannot know. */
  readonly ip: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** The whole body as text. Rejects with `BodyTooLarge` beyond `limit` bytes, declared or streamed. */
  body(limit: number): Promise<string>
}

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AsyncIterable<string>
}

/** Answers, or says with `undefined` that the path is none of its own. */
export type HttpHandler = (request: HttpRequest) => MaybePromise<HttpReply | undefined>

export class BodyTooLargeError extends Error {
  constructor(readonly limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.name = 'BodyTooLarge'
  }
}

/** The body did not arrive, or did not arrive in time. */
export class BodyReadError extends Error {
  constructor() {
    super('the body did not arrive')
    this.name = 'BodyLost'
  }
}

/** Thrown by a handler that wants its client to see the connection die. Only the sandbox's faults do. */
export class ConnectionDroppedError extends Error {
  constructor() {
    super('the connection was dropped')
    this.name = 'DroppedConnection'
  }
}
