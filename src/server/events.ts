/**
 * Wake-ups as Server-Sent Events (WHATWG HTML, 9.2): a reason to read again, never the news itself, so that nothing
 * depends on one arriving.
 */
import type {Journals} from './journal/journals.js'

/** Proxies close connections on which nothing moves. */
const COMMENT_EVERY = 20_000
/** How often to look at a store that cannot wake us. */
const LOOK_EVERY = 2_000

/** One event at once, one for every growth of the journal, a comment every 20 s; until the page goes or `close`. */
export class WakeUps {
  /** Of every open stream. One set in the place of a signal, on which Node takes more than ten for a leak. */
  readonly #wakes = new Set<() => void>()
  #isClosed = false

  constructor(readonly journals: Journals) {}

  /** Ends all streams, and each that is opened later. */
  close(): void {
    this.#isClosed = true
    for (const wake of this.#wakes) wake()
  }

  async *stream(chargeId: string, gone: AbortSignal): AsyncGenerator<string> {
    const {clock, store} = this.journals
    const hasEnded = () => this.#isClosed || gone.aborted
    let hasGrown = new AbortController()
    const wake = () => hasGrown.abort('grown')
    const unwatch = this.journals.watch(chargeId, wake)
    this.#wakes.add(wake)
    gone.addEventListener('abort', wake)
    try {
      let told = 0
      let commentAt = clock.now() + COMMENT_EVERY
      while (!hasEnded()) {
        hasGrown = new AbortController()
        const {rev} = await this.journals.load(chargeId)
        if (rev > told) {
          told = rev
          yield `data: {"rev":${rev}}\n\n`
          continue
        }
        const quietFor = commentAt - clock.now()
        if (quietFor <= 0) {
          commentAt = clock.now() + COMMENT_EVERY
          yield ': still here\n\n'
          continue
        }
        if (hasEnded()) return
        await clock.sleep(store.watch ? quietFor : Math.min(quietFor, LOOK_EVERY), hasGrown.signal)
      }
    } finally {
      unwatch()
      this.#wakes.delete(wake)
      gone.removeEventListener('abort', wake)
    }
  }
}
