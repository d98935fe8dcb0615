/** What nobody well-meaning sends: values, and small changes to values that were right. */
import fc from 'fast-check'

export type Json = null | boolean | number | string | Json[] | {[name: string]: Json}

/** The same in each run of the suite; `FUZZ_RUNS` asks for more, from a seed of its own. */
export function runs(usual: number): {numRuns: number; seed?: number; includeErrorInReport: boolean} {
  const wanted = Number(process.env['FUZZ_RUNS'] ?? 0)
  const how = {numRuns: wanted || usual, includeErrorInReport: true}
  return wanted > 0 ? how : {...how, seed: 20_261_121}
}

/** Stands for JSON that no value gives, such as `1e400`; `toText` puts it in as it is. */
const raw = (text: string) => `\u0001raw ${text}\u0001`

const names = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '',
  '\u0000',
)

const texts = fc.oneof(
  names,
  fc.constantFrom(
    '0',
    '-1',
    '1e400',
    '1e-400',
    '1e200',
    '1e-200',
    'NaN',
    ' ',
    'two words',
    '\u202e',
    '\ud800',
    'a\r\nb: c',
    '<script>',
    'javascript:alert(1)',
    '../convert',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    '0x0000000000000000000000000000000000000000',
    'x'.repeat(5_000),
  ),
  fc.string({unit: 'binary', maxLength: 40}),
)

const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e21, 1e-7, 1e200, 1e-200, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE),
  fc
    .constantFrom(
      '1e400',
      '-1e400',
      '1E-999',
      '123456789012345678901234567890',
      '0.1000000000000000055511151',
      '1e99999',
    )
    .map(raw),
  fc.double({noNaN: true, noDefaultInfinity: true}),
)

/** Too deep for whoever calls itself for each level. */
const deep = fc.constantFrom(
  raw('['.repeat(5_000) + ']'.repeat(5_000)),
  raw('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)),
)

const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), numbers, texts)

export const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  {weight: 6, arbitrary: leaf},
  {weight: 1, arbitrary: deep},
  {weight: 2, arbitrary: fc.array(leaf, {maxLength: 5})},
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.oneof(names, fc.string({maxLength: 8})), leaf), {maxLength: 5})
      .map(fromPairs),
  },
)

export interface Change {
  /** Which of all the places, counted round. */
  readonly where: number
  readonly how: 'remove' | 'replace' | 'add' | 'wrap' | 'retype' | 'repeat'
  readonly value: Json
  readonly name: string
}

const change: fc.Arbitrary<Change> = fc.record({
  where: fc.nat(10_000),
  how: fc.constantFrom('remove', 'replace', 'add', 'wrap', 'retype', 'repeat'),
  value: hostileJson,
  name: names,
})

export const changes = fc.array(change, {minLength: 1, maxLength: 4})

/** The value with these changes made, one after the other. */
export function changed(value: Json, made: readonly Change[]): Json {
  const root = {root: structuredClone(value)}
  for (const {where, how, value: shared, name} of made) {
    const value = structuredClone(shared)
    const places = placesIn(root.root, root, 'root')
    const place = places[where % places.length]
    if (!place) continue
    const {holder, key} = place
    const inner = holder[key] ?? null
    if (how === 'remove') Reflect.deleteProperty(holder, key)
    else if (how === 'replace') put(holder, key, value)
    else if (how === 'wrap') put(holder, key, where % 2 === 0 ? [inner] : {[key]: inner})
    else if (how === 'retype') put(holder, key, retyped(inner))
    else if (how === 'repeat')
      put(
        holder,
        key,
        Array.from({length: 50}, () => inner),
      )
    else add(typeof inner === 'object' && inner !== null ? inner : holder, name, value)
  }
  return root.root ?? null
}

/** As it travels. */
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

/** Also where the name is `__proto__`. */
function put(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, {value, enumerable: true, configurable: true, writable: true})
}

function retyped(value: Json): Json {
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
