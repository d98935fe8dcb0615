/**
 * Journals that list charges. A store lists only its open charges, so a closed charge that needs work later is recorded in
 * a journal that stays open until the work is done. There is one for each hour and purpose.
 */
import type {JournalRepository} from './repository.js'

export interface ChargeIndex {
  /** `closed`: to be archived after the retention. `late`: closed, and must be notified of something new. */
  readonly purpose: 'closed' | 'late'
  /** The end of its hour, in milliseconds. */
  readonly endsAt: number
}

const HOUR_MS = 60 * 60 * 1000
/** A dot is not valid in the id of a charge. */
const INDEX_ID = /^\.(closed|late)-(\d{4}-\d\d-\d\dT\d\d)$/

/** Parses an id from `openCharges()`. Undefined for the id of a charge. */
export function parseIndexId(id: string): ChargeIndex | undefined {
  const [, purpose, hour] = INDEX_ID.exec(id) ?? []
  if (purpose === undefined || hour === undefined) return undefined
  return {purpose: purpose === 'late' ? 'late' : 'closed', endsAt: Date.parse(`${hour}:00Z`) + HOUR_MS}
}

/** @param at milliseconds */
export async function addToIndex(
  purpose: ChargeIndex['purpose'],
  chargeId: string,
  at: number,
  journals: JournalRepository,
): Promise<void> {
  const indexId = `.${purpose}-${new Date(at).toISOString().slice(0, 13)}`
  await journals.update(indexId, () => ({kind: 'closed', chargeId}))
}

/** The ids of the charges in an index. */
export async function chargesIn(indexId: string, journals: JournalRepository): Promise<ReadonlySet<string>> {
  const entries = await journals.entries(indexId)
  return new Set(entries.flatMap(entry => (entry.kind === 'closed' ? entry.chargeId : [])))
}
