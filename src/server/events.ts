/**
 * Wake-ups as Server-Sent Events (WHATWG HTML, 9.2): a reason to read again, never the news itself, so that nothing
 * depends on one arriving.
 */
import type {Journals} from './journal/journals.js'

/** Proxies close connections on which nothing moves. */
const COMMENT_EVERY = 20_000
/** How often to look at a store that cannot wake us. */
const LOOK_EVERY = 2_000

/** One event at once, one for every growth of the journal, a comment every 20 s; until one of the signals is aborted. */
export async function* wakeUps(
  chargeId: string,
  journals: Journals,
  ends: readonly AbortSignal[],
): AsyncGenerator<string> {
  const {clock, store} = journals
  const hasEnded = () => ends.some(({aborted}) => aborted)
  let hasGrown = new AbortController()
  const wake = () => hasGrown.abort('grown')
  const unwatch = journals.watch(chargeId, wake)
  // Not `AbortSignal.any`: the signal that outlives all streams would remember each of them.
  for (const end of ends) end.addEventListener('abort', wake)
  try {
    let told = 0
    let commentAt = clock.now() + COMMENT_EVERY
    while (!hasEnded()) {
      hasGrown = new AbortController()
      const {rev} = await journals.load(chargeId)
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
    for (const end of ends) end.removeEventListener('abort', wake)
  }
}
