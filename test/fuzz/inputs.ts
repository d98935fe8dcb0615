/** Arbitrary and malformed JSON, and small changes to valid JSON. */
import fc from 'fast-check'

export type Json = null | boolean | number | string | Json[] | {[name: string]: Json}

/** A fixed seed, so that each run is the same. `FUZZ_RUNS` sets the number of runs, with a random seed. */
export function runs(defaultRuns: number): {numRuns: number; seed?: number; includeErrorInReport: boolean} {
  const requested = Number(process.env['FUZZ_RUNS'] ?? 0)
  const options = {numRuns: requested || defaultRuns, includeErrorInReport: true}
  return requested > 0 ? options : {...options, seed: 20_261_121}
}

/** Of the choices of `fc.oneof`. */
export function weighted<Value>(weight: number, arbitrary: fc.Arbitrary<Value>) {
  return {weight, arbitrary}
}

/** A placeholder for JSON text that no value has, such as `1e400`. `toText` inserts the text. */
const raw = (text: string) => `\u0001raw ${text}\u0001`

const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'then', '')

const texts = fc.oneof(
  names,
  fc.constantFrom(
    ...'0 -1 1e400 NaN \u202e \ud800 <script> 9999-12-31T23:59:59-23:59'.split(' '),
    ...['two words', `0x${'0'.repeat(40)}`, 'x'.repeat(5_000)],
  ),
  fc.string({unit: 'binary', maxLength: 40}),
)

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e21, 1e-7, 1e200, 1e-200, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE),
  fc
    .constantFrom('1e400', '-1e400', '123456789012345678901234567890', '0.1000000000000000055511151')
    .map(raw),
  fc.double({noNaN: true, noDefaultInfinity: true}),
)

/** Nested too deeply for a recursive parser. */
const deep = fc.constant(raw('{"a":['.repeat(5_000) + ']}'.repeat(5_000)))

const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), numbers, texts)

export const arbitraryJson: fc.Arbitrary<Json> = fc.oneof(
  weighted(6, leaf),
  weighted(1, deep),
  weighted(2, fc.array(leaf, {maxLength: 5})),
  weighted(
    2,
    fc.array(fc.tuple(fc.oneof(names, fc.string({maxLength: 8})), leaf), {maxLength: 5}).map(fromPairs),
  ),
)

export interface Change {
  /** The index of the place, modulo the number of places. */
  readonly index: number
  readonly how: 'remove' | 'replace' | 'add' | 'wrap' | 'retype' | 'repeat'
  readonly value: Json
  readonly name: string
}

const change: fc.Arbitrary<Change> = fc.record({
  index: fc.nat(10_000),
  how: fc.constantFrom('remove', 'replace', 'add', 'wrap', 'retype', 'repeat'),
  value: arbitraryJson,
  name: names,
})

export const changes = fc.array(change, {minLength: 1, maxLength: 4})

/** Applies the changes in order. */
export function applyChanges(value: Json, changes: readonly Change[]): Json {
  const root = {root: structuredClone(value)}
  for (const {index, how, value: shared, name} of changes) {
    const value = structuredClone(shared)
    const places = placesIn(root.root, root, 'root')
    const place = places[index % places.length]
    if (!place) continue
    const {holder, key} = place
    const inner = holder[key] ?? null
    if (how === 'remove') Reflect.deleteProperty(holder, key)
    else if (how === 'replace') put(holder, key, value)
    else if (how === 'wrap') put(holder, key, index % 2 === 0 ? [inner] : {[key]: inner})
    else if (how === 'retype') put(holder, key, withOtherType(inner))
    else if (how === 'repeat') put(holder, key, Array(50).fill(inner))
    else add(typeof inner === 'object' && inner !== null ? inner : holder, name, value)
  }
  return root.root ?? null
}

/** Serialises the value. */
export function toText(value: Json): string {
  return JSON.stringify(value).replace(/"\\u0001raw (.*?)\\u0001"/g, (_, text: string) => text)
}

type Holder = Record<string, Json>

function placesIn(value: Json | undefined, holder: object, key: string): {holder: Holder; key: string}[] {
  const here = {holder: holder as Holder, key}
  if (typeof value !== 'object' || value === null) return [here]
  return [here, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, value, name))]
}

function add(holder: Json[] | Holder, name: string, value: Json): void {
  if (Array.isArray(holder)) holder.push(value)
  else put(holder, name, value)
}

/** Defines the property even if its name is `__proto__`. */
function put(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, {value, enumerable: true, configurable: true, writable: true})
}

function withOtherType(value: Json): Json {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : {text: value}
  if (typeof value === 'boolean') return value ? 'true' : 0
  return value === null ? [] : null
}

function fromPairs(pairs: [string, Json][]): Json {
  const holder: Holder = {}
  for (const [name, value] of pairs) put(holder, name, value)
  return holder
}
