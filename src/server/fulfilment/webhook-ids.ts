/**
 * The ids in a webhook's body. The specification defines neither its shape nor a signature, so the body is not trusted
 * (invariant 8). It is searched for ids under the field names of the specification, and charges that the store knows
 * are read again from the service.
 */
import {isChargeId} from '../charge-id.js'

const ID_FIELDS = new Set(['chargeId', 'charge_id', 'cryptoChargeId', '_id', 'chargeID'])
const MAX_IDS = 200
/** A body of 16 kB cannot hold many more. */
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
  for (let visited = 0; visited < MAX_VALUES && ids.size < MAX_IDS; visited++) {
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
