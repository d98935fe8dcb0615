/**
 * Request and reply types without a server framework. The proxy and the sandbox therefore run on `node:http`, in a
 * framework, behind a Fetch-style router, and in a browser.
 */
export interface HttpRequest {
  readonly method: string
  /** The path below the mount point, as sent: percent-encoded, without the query. Starts with `/`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. Repeated headers are joined with `, ` (RFC 9110, 5.3). */
  readonly headers: Readonly<Record<string, string>>
  /** The address of the peer; empty if the adapter does not know it. */
  readonly ip: string
  /** Reads the body as text. Rejects with `BodyTooLargeError` above `limit` bytes, declared or streamed. */
  body(limit: number): Promise<string>
}

/** `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 cannot name. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>

export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Bytes are for content that is already encoded, such as compressed files. */
  readonly body: string | Bytes | AsyncIterable<string>
}

/** Returns a reply, or `undefined` if the handler does not serve this path. */
export type HttpHandler = (request: HttpRequest) => HttpReply | undefined | Promise<HttpReply | undefined>

export class BodyTooLargeError extends Error {
  constructor(readonly limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.name = 'BodyTooLargeError'
  }
}

/** The body did not arrive completely within the time limit, or was consumed before. */
export class BodyReadError extends Error {
  constructor() {
    super('the body did not arrive')
    this.name = 'BodyReadError'
  }
}

/** Thrown by a handler to close the connection without a reply. Only faults of the sandbox do this. */
export class ConnectionDroppedError extends Error {
  constructor() {
    super('the connection was dropped')
    this.name = 'ConnectionDroppedError'
  }
}
