/** What `cloudflare:sockets` offers, as far as it is used. */
export interface WorkerSocket {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  readonly opened: Promise<unknown>
  close(): Promise<unknown>
}

export type Connect = (address: string, options: {secureTransport: 'on' | 'off'}) => WorkerSocket
