import {nextTurn} from '../http/loopback.js'

/** Ends a wait that would never end. Its length does not matter, because the condition comes true by itself. */
const DEADLINE_MS = 120_000

/** Repeats an action until a condition that no event reports is true. */
export async function repeatUntil(
  isDone: () => boolean,
  what: string,
  act: () => Promise<unknown> = nextTurn,
): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  while (!isDone()) {
    if (deadline.aborted) throw new Error(`waited for ${what}`)
    await act()
  }
}
