/**
 * Journals that list charges. A store lists only its open charges, so a closed charge that needs work later is recorded in
 * a journal that stays open until the work is done. There is one for each hour and purpose.
 */
import {parseEntry} from './entry.js'
import type {Journals} from './journals.js'

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
  journals: Journals,
  purpose: ChargeIndex['purpose'],
  chargeId: string,
  at: number,
): Promise<void> {
  const index = journals.of(`.${purpose}-${new Date(at).toISOString().slice(0, 13)}`)
  await index.update(() => ({kind: 'indexed', chargeId}))
}

/** The ids of the charges in an index. */
export async function chargesIn(journals: Journals, indexId: string): Promise<ReadonlySet<string>> {
  const entries = (await journals.peek(indexId).texts()).map(parseEntry)
  return new Set(entries.flatMap(entry => (entry?.kind === 'indexed' ? entry.chargeId : [])))
}
