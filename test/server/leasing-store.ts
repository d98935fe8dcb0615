/** A store in memory whose leases end by the clock of the test. */
import {memoryStore} from '../../src/stores/memory-store.js'
import type {Store} from '../../src/contract/store.js'
import type {FakeClock} from '../fake-clock.js'

export function leasingStore(clock: FakeClock) {
  const ends = new Map<string, number>()
  /** What was asked for, and whether it was free. */
  const leases: [name: string, milliseconds: number, isFree: boolean][] = []
  const lease: Store['lease'] = (name, milliseconds) => {
    const isFree = (ends.get(name) ?? -Infinity) <= clock.now()
    leases.push([name, milliseconds, isFree])
    if (isFree) ends.set(name, clock.now() + milliseconds)
    return Promise.resolve(isFree)
  }
  return {...memoryStore(), lease, leases}
}
