/**
 * The ids in a webhook's body. The specification shows neither its shape nor a signature, so nothing in it is believed
 * (invariant 8): it is searched for anything that may be an id, under the names that the specification uses, and the
 * charges that we know of are read again from the service.
 */
import {isChargeId} from '../charge-id.js'

const ID_FIELDS = new Set(['chargeId', 'charge_id', 'cryptoChargeId', '_id', 'chargeID'])
const MAX_IDS = 200
/** Values looked at: a body of 16 kB cannot hold many more. */
const MAX_VALUES = 20_000

export function extractChargeIds(body: string): string[] {
  let root: unknown
  try {
    root = JSON.parse(body)
  } catch {
    return []
  }
  const ids = new Set<string>()
  const pending: unknown[] = [root]
  for (let looked = 0; looked < MAX_VALUES && ids.size < MAX_IDS; looked++) {
    if (pending.length === 0) break
    const value = pending.pop()
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        if (ID_FIELDS.has(name) && typeof inner === 'string' && isChargeId(inner)) ids.add(inner)
        else pending.push(inner)
      }
  }
  return [...ids].slice(0, MAX_IDS)
}
