/** The journal as support reads it. */
import type {Entry, Minted} from './entry.js'
import type {Journal} from './journal.js'

type Readable<Kind> = Kind extends Minted ? Omit<Kind, 'at' | 'assets'> : Omit<Kind, 'at'>

/** `at` is ISO 8601 UTC. The assets of `minted` are left out, because they are long and not an event. */
export type JournalEntry = {
  [Kind in Entry['kind']]: Readable<Extract<Entry, {kind: Kind}>> & {readonly at: string}
}[Entry['kind']]

export async function exportEntries(journal: Journal): Promise<JournalEntry[]> {
  const entries = await journal.entries()
  return entries.map(entry => {
    const at = new Date(entry.at).toISOString()
    if (entry.kind !== 'minted') return {...entry, at}
    const {assets: _, ...minted} = entry
    return {...minted, at}
  })
}
