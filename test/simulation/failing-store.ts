/** A store whose operations fail when `nextFault` says so. */
import type {Clock} from '../../src/contract/clock.js'
import type {Store} from '../../src/server/stores/store.js'
import type {StoreFault} from './steps.js'

/** A write may still arrive after it was given up. */
const DELAY_MS = 3_000

export function failingStore(store: Store, clock: Clock, nextFault: () => StoreFault | undefined): Store {
  async function orFail<Value>(operation: () => Promise<Value>): Promise<Value> {
    const fault = nextFault()
    if (fault === 'late') void clock.sleep(DELAY_MS).then(operation)
    if (fault === 'lose') await operation()
    if (fault) throw new Error('the store failed')
    return operation()
  }
  return {
    ...store,
    append: (...args) => orFail(() => store.append(...args)),
    read: (...args) => orFail(() => store.read(...args)),
    async *openCharges() {
      await orFail(() => Promise.resolve())
      yield* store.openCharges()
    },
    closeCharge: chargeId => orFail(() => store.closeCharge(chargeId)),
    delete: chargeId => orFail(() => store.delete(chargeId)),
  }
}
