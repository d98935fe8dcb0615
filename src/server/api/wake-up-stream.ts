/**
 * Wake-ups as server-sent events (WHATWG HTML, section 9.2). They carry only `rev`, as a reason to read again, so a lost
 * one does no harm.
 */
import type {ServerContext} from '../context/context.js'
import {CheckoutError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {OpenStreams} from './open-streams.js'

/** Proxies close idle connections. */
const KEEP_ALIVE_MS = 20_000
/** The interval for stores without `subscribe`. */
const POLL_MS = 2_000
/** Seconds. Until then the client polls. */
const RETRY_AFTER = 60

/** Sends an event at once and for every change, and a comment every 20 s, until the client disconnects or `close`. */
export class WakeUpStreams {
  /** A set, because Node warns about a leak above ten listeners on one AbortSignal. */
  readonly #wakeUps = new Set<() => void>()
  #isClosed = false

  constructor(
    readonly context: ServerContext,
    readonly openStreams = new OpenStreams(context.clock),
  ) {}

  /** Ends all streams, also later ones. */
  close(): void {
    this.#isClosed = true
    for (const wake of this.#wakeUps) wake()
  }

  /**
   * Opens a stream, unless the process or the address has too many.
   *
   * @param address counted when it is not empty
   */
  open(journal: Journal, address: string, disconnected: AbortSignal): AsyncIterable<string> {
    const {openStreams} = this
    if (openStreams.isFull(address)) {
      this.context.diagnostics.publish('limited', {operation: 'events'})
      throw new CheckoutError('upstream_unavailable', RETRY_AFTER)
    }
    const stream = {}
    const see = () => openStreams.see(stream, address)
    const end = () => openStreams.end(stream)
    see()
    // The `finally` of a generator that has not started does not run.
    disconnected.addEventListener('abort', end)
    if (disconnected.aborted) end()
    return endingWith(this.#stream(journal, disconnected, see), () => {
      disconnected.removeEventListener('abort', end)
      end()
    })
  }

  /** @param see called when the stream goes on */
  async *#stream(journal: Journal, disconnected: AbortSignal, see: () => void): AsyncGenerator<string> {
    const {clock, store} = this.context
    const hasEnded = () => this.#isClosed || disconnected.aborted
    let changed = new AbortController()
    const wake = () => changed.abort('changed')
    // The first turn loads the journal.
    wake()
    const unsubscribe = journal.subscribe(wake)
    this.#wakeUps.add(wake)
    disconnected.addEventListener('abort', wake)
    try {
      let sentRev = 0
      let commentAt = clock.now() + KEEP_ALIVE_MS
      while (!hasEnded()) {
        see()
        // Without a reported change, the store is not read for each comment. Reads of this process update what is cached.
        const mustLoad = changed.signal.aborted || !store.subscribe
        changed = new AbortController()
        const state = mustLoad ? await journal.state() : journal.peek()
        const rev = state?.rev ?? sentRev
        if (rev > sentRev) {
          sentRev = rev
          yield `data: {"rev":${rev}}\n\n`
          continue
        }
        const idleMs = commentAt - clock.now()
        if (idleMs <= 0) {
          commentAt = clock.now() + KEEP_ALIVE_MS
          yield ': keep-alive\n\n'
          continue
        }
        if (hasEnded()) return
        await clock.sleep(store.subscribe ? idleMs : Math.min(idleMs, POLL_MS), changed.signal)
      }
    } finally {
      unsubscribe()
      this.#wakeUps.delete(wake)
      disconnected.removeEventListener('abort', wake)
    }
  }
}

async function* endingWith(stream: AsyncIterable<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* stream
  } finally {
    end()
  }
}
