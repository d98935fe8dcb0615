/**
 * Wake-ups as Server-Sent Events (WHATWG HTML, 9.2): a reason to read again, never the news itself, so that nothing
 * depends on one arriving.
 */
import type {JournalRepository} from '../journal/repository.js'

/** Proxies close connections on which nothing moves. */
const KEEP_ALIVE_MS = 20_000
/** How often to look at a store that cannot wake us. */
const POLL_MS = 2_000

/** One event at once, one for every growth of the journal, a comment every 20 s; until the page goes or `close`. */
export class WakeUpStreams {
  /** Of every open stream. One set in the place of a signal, on which Node takes more than ten for a leak. */
  readonly #wakes = new Set<() => void>()
  #isClosed = false

  constructor(readonly journals: JournalRepository) {}

  /** Ends all streams, and each that is opened later. */
  close(): void {
    this.#isClosed = true
    for (const wake of this.#wakes) wake()
  }

  async *stream(chargeId: string, gone: AbortSignal): AsyncGenerator<string> {
    const {clock, store} = this.journals
    const hasEnded = () => this.#isClosed || gone.aborted
    let changed = new AbortController()
    const wake = () => changed.abort('grown')
    const unsubscribe = this.journals.subscribe(chargeId, wake)
    this.#wakes.add(wake)
    gone.addEventListener('abort', wake)
    try {
      let sentRev = 0
      let commentAt = clock.now() + KEEP_ALIVE_MS
      while (!hasEnded()) {
        changed = new AbortController()
        const {rev} = await this.journals.load(chargeId)
        if (rev > sentRev) {
          sentRev = rev
          yield `data: {"rev":${rev}}\n\n`
          continue
        }
        const idleMs = commentAt - clock.now()
        if (idleMs <= 0) {
          commentAt = clock.now() + KEEP_ALIVE_MS
          yield ': still here\n\n'
          continue
        }
        if (hasEnded()) return
        await clock.sleep(store.subscribe ? idleMs : Math.min(idleMs, POLL_MS), changed.signal)
      }
    } finally {
      unsubscribe()
      this.#wakes.delete(wake)
      gone.removeEventListener('abort', wake)
    }
  }
}
