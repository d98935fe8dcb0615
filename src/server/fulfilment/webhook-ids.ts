/**
 * The ids in a webhook's body. The specification defines neither its shape nor a signature, so the body is not trusted
 * (invariant 8). Any text in it may be an id: in JSON at any depth, in JSON inside JSON, in the fields of a form, or in
 * plain text. Charges that the store knows are read again from the service.
 */
import {isChargeId} from '../../contract/charge-id.js'

const MAX_CANDIDATES = 20
/** Their values come first. */
const ID_FIELDS = new Set(['chargeId', 'charge_id', 'cryptoChargeId', '_id', 'chargeID'])
/** A body of 16 kB cannot hold many more. */
const MAX_VALUES = 20_000
/** How many levels of JSON inside JSON are parsed. */
const MAX_NESTING = 6

/** The encoding leaves none of the excluded characters. */
const FORM = /^[^\s<>"{}]*=[^\s<>"{}]*$/

interface Value {
  readonly name: string
  readonly value: unknown
  readonly nesting: number
  /** Within JSON, only a whole string is an id. In plain text, each word may be one. */
  readonly isInJson: boolean
}

/** In the order of their appearance. */
export function extractChargeIds(body: string): string[] {
  const named = new Set<string>()
  const others = new Set<string>()
  // A stack, because a recursion could be too deep.
  const pending: Value[] = [{name: '', value: body, nesting: 0, isInJson: false}]
  for (let visited = 0; visited < MAX_VALUES; visited++) {
    const next = pending.pop()
    if (!next) break
    const {name, value} = next
    if (typeof value === 'string' && isChargeId(value)) (ID_FIELDS.has(name) ? named : others).add(value)
    else for (const inner of valuesIn(next).reverse()) pending.push(inner)
  }
  return [...new Set([...named, ...others])].slice(0, MAX_CANDIDATES)
}

function valuesIn({name, value, nesting, isInJson}: Value): Value[] {
  if (typeof value === 'string')
    return nesting < MAX_NESTING ? valuesInText(value, name, nesting + 1, isInJson) : []
  return Object.entries(value ?? {}).map(([inner, value]) =>
    field(Number.isNaN(Number(inner)) ? inner : name, value, nesting, isInJson),
  )
}

function valuesInText(text: string, name: string, nesting: number, isInJson: boolean): Value[] {
  try {
    return [{name, value: JSON.parse(text), nesting, isInJson: true}]
  } catch {
    if (FORM.test(text))
      return [...new URLSearchParams(text)].map(([inner, value]) => field(inner, value, nesting, isInJson))
    const words = isInJson ? [] : text.split(/[^A-Za-z0-9_-]+/)
    return words.filter(isChargeId).map(value => ({name: '', value, nesting, isInJson}))
  }
}

/** A form parser makes a name without a value of a body that is not a form. */
function field(name: string, value: unknown, nesting: number, isInJson: boolean): Value {
  return value === '' ? {name: '', value: name, nesting, isInJson} : {name, value, nesting, isInJson}
}
