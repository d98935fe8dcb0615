/** A store whose operations fail when `nextFault` says so. It receives what a write changes, else an empty text. */
import type {Clock, Store} from '../../src/contract/index.js'
import type {StoreFault} from './steps.js'

/** A write may still arrive after it was given up, and a client library connects again before it sends again. */
const DELAY_MS = 3_000
/** Of a statement, at its connection. */
const DEADLINE_MS = 5_000

export function failingStore(
  store: Store,
  clock: Clock,
  nextFault: (changes: string) => StoreFault | undefined,
): Store {
  async function orFail<Value>(run: () => Promise<Value>, changes = ''): Promise<Value> {
    const fault = nextFault(changes)
    if (fault === 'late') void clock.sleep(DELAY_MS).then(run)
    if (fault === 'lose') await run()
    if (fault === 'hang') await clock.sleep(DEADLINE_MS)
    if (fault === 'resend') {
      // The second answer counts: a write that was done says that it was not.
      const first = await run()
      await clock.sleep(DELAY_MS)
      return first === true ? (false as Value) : run()
    }
    if (fault) throw new Error('the store failed')
    return run()
  }
  return {
    get: key => orFail(() => store.get(key)),
    async put(key, version, value, due) {
      const before = (await store.get(key))?.value
      return orFail(() => store.put(key, version, value, due), `${key} ${changedFields(before, value)}`)
    },
    due: (...args) => orFail(() => store.due(...args)),
    keys: (...args) => orFail(() => store.keys(...args)),
  }
}

/** The names of the fields that differ. */
function changedFields(before = '{}', after: string): string {
  const [old, now] = [before, after].map(text => JSON.parse(text) as Record<string, unknown>)
  return Object.keys({...old, ...now})
    .filter(name => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    .join(' ')
}
