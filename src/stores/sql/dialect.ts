/** The SQL of one kind of database. Each statement is atomic by itself, so the store needs no transactions. */
export interface Dialect {
  readonly name: 'postgres' | 'mysql' | 'sqlite'
  /** Creates what is absent. */
  readonly schema: readonly string[]
  /** Inserts entry 1 of an open charge, if it is absent. */
  readonly appendFirst: string
  /** Inserts the entry after `:previous`, if that one exists and the new one is absent. */
  readonly appendNext: string
  /** The `append_id` of an entry. */
  readonly findAppendId: string
  /** Numbers and entries after `:after`, in order. */
  readonly read: string
  /** The next `PAGE` charge ids after `:after`. */
  readonly openCharges: string
  readonly closeCharge: string
  readonly delete: string
  /** Removes the entries up to `:rev`, and empties entry 1. */
  readonly empty: readonly string[]
  /** Executed in order until one of them changes a row: then the lease is ours. */
  readonly lease: readonly string[]
  readonly deleteExpiredLeases: string
}

export function emptying(entries: string): readonly string[] {
  return [
    `delete from ${entries} where charge_id = :charge_id and rev > 1 and rev <= :rev`,
    `update ${entries} set entry = '', is_open = false where charge_id = :charge_id and rev = 1`,
  ]
}

/** Charge ids that are read at once. */
export const PAGE = 500

export type Parameters = Readonly<Record<string, string | number>>

/** A row of a select, or one for each row that a statement changed. */
export type Row = Readonly<Record<string, unknown>>

/** The text and values that a driver takes, from a statement with named parameters such as `:charge_id`. */
export function bind(
  statement: string,
  parameters: Parameters,
  style: '$1' | '?',
): {text: string; values: (string | number)[]} {
  const names: string[] = []
  const text = statement.replaceAll(/:(\w+)/g, (_, name: string) => {
    const index = style === '$1' ? names.indexOf(name) : -1
    const position = index < 0 ? names.push(name) : index + 1
    return style === '$1' ? `$${position}` : '?'
  })
  return {text, values: names.map(name => parameters[name] ?? '')}
}
