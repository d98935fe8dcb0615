import type {Store} from '../../src/contract/store.js'
import {repeatUntil} from '../server/repeat-until.js'

/** Resolves to the row when the store can be reached again: connections of before may be found to be lost only now. */
export async function rowInTime(store: Store, key: string): Promise<unknown> {
  let row: unknown
  await repeatUntil(
    () => row !== undefined,
    'the row',
    async () => (row = await store.get(key).catch(() => undefined)),
  )
  return row
}
