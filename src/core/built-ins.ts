/**
 * In place of built-ins that libraries of pages replace by others: Prototype's `Object.values` also has what is inherited, and
 * MooTools's `Array.from` ignores the function. The build of the script tag uses them in the bundled packages too.
 */

/** `Object.values`. */
export function valuesOf<Value>(object: Readonly<Record<string, Value>>): Value[] {
  return entriesOf(object).map(([, value]) => value)
}

/** `Object.entries`. */
export function entriesOf<Value>(object: Readonly<Record<string, Value>>): [string, Value][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key is one of the object
  return Object.keys(object).map(key => [key, object[key] as Value])
}

/** `Object.fromEntries`. */
export function fromEntries<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const object: Record<string, Value> = {}
  for (const [key, value] of entries)
    Object.defineProperty(object, key, {value, configurable: true, enumerable: true, writable: true})
  return object
}

/** `Array.from` of what can be iterated. */
export function arrayFrom<Value>(values: Iterable<Value>): Value[] {
  return [...values]
}
