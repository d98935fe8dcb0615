/** A store whose operations fail when `nextFault` says so. It receives the entry that is appended, else an empty text. */
import type {Clock} from '../../src/contract/clock.js'
import type {Store} from '../../src/contract/store.js'
import type {StoreFault} from './steps.js'

/** A write may still arrive after it was given up, and a client library connects again before it sends again. */
const DELAY_MS = 3_000
/** Of a statement, at its connection. */
const DEADLINE_MS = 5_000

export function failingStore(
  store: Store,
  clock: Clock,
  nextFault: (entry: string) => StoreFault | undefined,
): Store {
  async function orFail<Value>(run: () => Promise<Value>, entry = ''): Promise<Value> {
    const fault = nextFault(entry)
    if (fault === 'late') void clock.sleep(DELAY_MS).then(run)
    if (fault === 'lose') await run()
    if (fault === 'hang') await clock.sleep(DEADLINE_MS)
    if (fault === 'resend') {
      // The store recognises it: the first answer counts, whatever was appended since.
      const first = await run()
      await clock.sleep(DELAY_MS)
      return first
    }
    if (fault) throw new Error('the store failed')
    return run()
  }
  return {
    ...store,
    append: (...args) => orFail(() => store.append(...args), args[2]),
    read: (...args) => orFail(() => store.read(...args)),
    async *openCharges() {
      await orFail(() => Promise.resolve())
      yield* store.openCharges()
    },
    closeCharge: chargeId => orFail(() => store.closeCharge(chargeId)),
    delete: (...args) => orFail(() => store.delete(...args)),
  }
}
