type Given<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>}

/** The fields that are there: what is unknown is left out, not said to be undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const there: Given<Fields> = {}
  for (const name in fields) {
    const value = fields[name]
    if (isThere(value)) there[name] = value
  }
  return there
}

function isThere<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}
