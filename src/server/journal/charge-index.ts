/**
 * Journals that list charges. A store lists only its open charges, so a closed charge that needs work later is recorded in
 * a journal that stays open until the work is done: one for each hour and purpose. Those of `payments` stay: one for each
 * day, because they become many.
 */
import {parseEntry} from './entry.js'
import type {Journals} from './journals.js'

export interface ChargeIndex {
  /**
   * `closed`: to be archived after the retention. `late`: closed, and must be notified of something new. `payments`: got a
   * payment that was not seen before.
   */
  readonly purpose: keyof typeof timeDigits
  /** The start and the end of its hour or day, in milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
}

const HOUR_MS = 60 * 60 * 1000
/** How much of the ISO time is in the id: the hour or the day. */
const timeDigits = {closed: 13, late: 13, payments: 10}
/** A dot is not valid in the id of a charge. */
const INDEX_ID = /^\.(closed|late|payments)-(\d{4}-\d\d-\d\d)(T\d\d)?$/

/** Parses an id from `openCharges()`. Undefined for the id of a charge. */
export function parseIndexId(id: string): ChargeIndex | undefined {
  const [, purpose, day, hour] = INDEX_ID.exec(id) ?? []
  if (!isPurpose(purpose) || day === undefined) return undefined
  const startsAt = Date.parse(`${day}${hour ?? 'T00'}:00Z`)
  return {purpose, startsAt, endsAt: startsAt + (hour === undefined ? 24 : 1) * HOUR_MS}
}

function isPurpose(text: string | undefined): text is ChargeIndex['purpose'] {
  return text !== undefined && text in timeDigits
}

/** @param at milliseconds */
export function indexIdOf(purpose: ChargeIndex['purpose'], at: number): string {
  return `.${purpose}-${new Date(at).toISOString().slice(0, timeDigits[purpose])}`
}

export async function addToIndex(journals: Journals, indexId: string, chargeId: string): Promise<void> {
  await journals.of(indexId).update(() => ({kind: 'indexed', chargeId}))
}

/** The ids of the charges in an index. */
export async function chargesIn(journals: Journals, indexId: string): Promise<ReadonlySet<string>> {
  const entries = (await journals.peek(indexId).texts()).map(parseEntry)
  return new Set(entries.flatMap(entry => (entry?.kind === 'indexed' ? entry.chargeId : [])))
}
