/**
 * The open event streams, which are limited. On Workers, requests share these counts; there, nothing runs when a client
 * leaves, so a stream that does not go on is forgotten.
 */
import type {Clock} from '../../contract/index.js'

const MAX_STREAMS = 10_000
const MAX_STREAMS_PER_ADDRESS = 20
/** Streams go on every 20 seconds. */
const FORGOTTEN_MS = 60_000

export class OpenStreams {
  /** The one that went on last is the last one. */
  readonly #seen = new Map<object, readonly [address: string, at: number]>()
  readonly #countOf = new Map<string, number>()

  constructor(readonly clock: Pick<Clock, 'now'>) {}

  /** @param address not limited when it is empty */
  isFull(address: string): boolean {
    this.#forget()
    const ofAddress = this.#countOf.get(address) ?? 0
    return this.#seen.size >= MAX_STREAMS || (address !== '' && ofAddress >= MAX_STREAMS_PER_ADDRESS)
  }

  /** The stream was opened, or goes on. */
  see(stream: object, address: string): void {
    this.end(stream)
    this.#seen.set(stream, [address, this.clock.now()])
    this.#countOf.set(address, (this.#countOf.get(address) ?? 0) + 1)
  }

  end(stream: object): void {
    const [address] = this.#seen.get(stream) ?? []
    if (address === undefined) return
    this.#seen.delete(stream)
    const ofAddress = (this.#countOf.get(address) ?? 0) - 1
    if (ofAddress > 0) this.#countOf.set(address, ofAddress)
    else this.#countOf.delete(address)
  }

  #forget(): void {
    const now = this.clock.now()
    for (const [stream, [, at]] of this.#seen) {
      if (now - at < FORGOTTEN_MS) return
      this.end(stream)
    }
  }
}
