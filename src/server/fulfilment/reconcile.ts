/**
 * Reconciling: walking the open charges and delivering what no webhook reported. A charge stays open until seven days
 * after its expiry, because money on a chain arrives when it likes.
 */
import type {ChargeState} from '../journal/state.js'

const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

/** Whether a charge is so long over that nobody needs to look again. Without an expiry, its opening counts. */
export function isPastRetention({opened, expiresAt}: ChargeState, now: number): boolean {
  const end = expiresAt ?? opened?.at
  return end !== undefined && end + RETENTION_MS <= now
}

/** In random order: instances that start together then rarely ask for the same charge at the same moment. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [result[last], result[other]]
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a]
  }
  return result
}
