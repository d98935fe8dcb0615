/**
 * What the script-tag build reads answers with, in place of `zod/mini`: as much of it as the schemas of this room need
 * in a page, under the same names. It gives the same value and refuses the same answers (a test holds the two against
 * each other), but does not say what is wrong with one, since a page could do nothing with that. The types stay zod's.
 */
const WRONG = Symbol()

class Schema {
  /** The value that was read, or `WRONG`. */
  constructor(readonly read: (input: unknown) => unknown) {}

  check(pattern: RegExp): Schema {
    return new Schema(input => {
      const value = this.read(input)
      return typeof value === 'string' && pattern.test(value) ? value : WRONG
    })
  }

  safeParse(input: unknown): {readonly success: boolean; readonly data?: unknown} {
    const data = this.read(input)
    return data === WRONG ? {success: false} : {success: true, data}
  }
}

function only(fits: (input: unknown) => boolean): () => Schema {
  const schema = new Schema(input => (fits(input) ? input : WRONG))
  return () => schema
}

export const string = only(input => typeof input === 'string')
export const boolean = only(input => typeof input === 'boolean')
export const number = only(Number.isFinite)

/** A check, for `check`. Patterns here are neither global nor sticky. */
export function regex(pattern: RegExp): RegExp {
  return pattern
}

function oneOf(values: readonly unknown[]): Schema {
  return only(input => values.includes(input))()
}
export {oneOf as enum}

export function optional({read}: Schema): Schema {
  return new Schema(input => (input === undefined ? input : read(input)))
}

export function nullable({read}: Schema): Schema {
  return new Schema(input => (input === null ? input : read(input)))
}

export function array({read}: Schema): Schema {
  return new Schema(input => {
    if (!Array.isArray(input)) return WRONG
    const values = Array.from(input, read)
    return values.includes(WRONG) ? WRONG : values
  })
}

/** Fields that the shape does not name pass and are dropped. */
export function object(shape: Readonly<Record<string, Schema>>): Schema {
  const fields = Object.entries(shape)
  return new Schema(input => {
    if (typeof input !== 'object' || !input || Array.isArray(input)) return WRONG
    const given = new Map(Object.entries(input))
    const values: Record<string, unknown> = {}
    for (const [name, {read}] of fields) {
      const value = read(given.get(name))
      if (value === WRONG) return WRONG
      if (given.has(name)) values[name] = value
    }
    return values
  })
}
