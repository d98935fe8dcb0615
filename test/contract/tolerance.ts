/** What a schema puts up with, found out place by place of a sample that has every field. */
import * as z from 'zod/mini'

/** Each a list of places, like `value.local.amount block`, that may be so; what is inside of one is not listed. */
export interface Tolerance {
  readonly missing: string
  readonly null: string
  readonly empty: string
  /** What nobody expects there. */
  readonly anything: string
}

const ABSENT = Symbol()

export function toleranceOf(schema: z.ZodMiniType, sample: object): Tolerance {
  const places = placesIn(sample)
  const taking = (held: unknown) =>
    places
      .filter(place => z.safeParse(schema, changed(sample, place.split('.'), held)).success)
      .filter((place, _, all) => !all.some(outer => place.startsWith(`${outer}.`)))
      .join(' ')
  return {missing: taking(ABSENT), null: taking(null), empty: taking(''), anything: taking(() => 7)}
}

function placesIn(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) => [before + key, ...placesIn(held, `${before}${key}.`)])
}

function changed(value: unknown, [key, ...rest]: readonly string[], held: unknown): unknown {
  if (key === undefined) return held
  const entries = Object.entries(Object(value) as Record<string, unknown>)
    .map(([name, inner]) => [name, name === key ? changed(inner, rest, held) : inner] as const)
    .filter(([, inner]) => inner !== ABSENT)
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
