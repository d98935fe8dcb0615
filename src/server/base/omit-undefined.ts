type WithoutUndefined<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>}

/** Omits properties whose value is undefined. */
export function omitUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const present: WithoutUndefined<Fields> = {}
  for (const name in fields) {
    const value = fields[name]
    if (isDefined(value)) present[name] = value
  }
  return present
}

function isDefined<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}
