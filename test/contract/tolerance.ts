/** Which fields of a schema may be missing, null, empty or of any type, found by changing a full sample. */
import * as z from 'zod/mini'

/** Lists of paths, like `value.local.amount block`; a path inside a listed one is not listed. */
export interface Tolerance {
  readonly missing: string
  readonly null: string
  readonly empty: string
  /** Accepts a value of another type. */
  readonly anything: string
}

export const strict: Tolerance = {missing: '', null: '', empty: '', anything: ''}

/** Tolerates any value at these paths, unless `others` says otherwise. */
export function lenient(paths: string, others: Partial<Tolerance> = {}): Tolerance {
  return {missing: paths, null: paths, empty: paths, anything: paths, ...others}
}

const ABSENT = Symbol()

export function toleranceOf(schema: z.ZodMiniType, sample: object): Tolerance {
  const paths = pathsIn(sample)
  const accepting = (value: unknown) =>
    paths
      .filter(path => z.safeParse(schema, withValue(sample, path.split('.'), value)).success)
      .filter((path, _, all) => !all.some(outer => path.startsWith(`${outer}.`)))
      .join(' ')
  return {
    missing: accepting(ABSENT),
    null: accepting(null),
    empty: accepting(''),
    anything: accepting(() => 7),
  }
}

function pathsIn(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    before + key,
    ...pathsIn(inner, `${before}${key}.`),
  ])
}

function withValue(parent: unknown, [key, ...keys]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const entries = Object.entries(Object(parent) as Record<string, unknown>)
    .map(([name, inner]) => [name, name === key ? withValue(inner, keys, value) : inner] as const)
    .filter(([, inner]) => inner !== ABSENT)
  return Array.isArray(parent) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
