/** The journal as support reads it. */
import * as z from 'zod/mini'
import {parseEntry, type Entry, type Minted} from './entry.js'
import type {Journal} from './journal.js'

type Readable<Kind> = Kind extends Minted ? Omit<Kind, 'at' | 'assets'> : Omit<Kind, 'at'>

/**
 * `at` is ISO 8601 UTC. The assets of `minted` are left out, because they are long and not an event. An entry that only
 * a newer version can apply has its own kind and fields, as they are stored; `unknown` stands for a damaged one.
 */
export type JournalEntry =
  | {[Kind in Entry['kind']]: Readable<Extract<Entry, {kind: Kind}>> & {readonly at: string}}[Entry['kind']]
  | {readonly kind: 'unknown'; readonly at: string}

export async function exportEntries(journal: Journal): Promise<JournalEntry[]> {
  const texts = await journal.texts()
  return texts.map(text => {
    const entry = parseEntry(text)
    if (!entry) return exportUnknown(text)
    const at = new Date(entry.at).toISOString()
    if (entry.kind !== 'minted') return {...entry, at}
    const {assets: _, ...minted} = entry
    return {...minted, at}
  })
}

function exportUnknown(text: string): JournalEntry {
  const {data: stored = {}} = z.safeParse(z.record(z.string(), z.unknown()), parseJson(text))
  const time = new Date(Number(stored['at']))
  const at = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  return Object.assign({kind: 'unknown' as const, at}, stored, {at})
}

/** Undefined for damaged text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
