/**
 * What is there is used at once, what is not is waited for. Most reads are answered from what this process knows, and
 * an `await` on the way would put each of them off, which costs more than the reading itself.
 */
export type Soon<Value> = Value | Promise<Value>

export function andThen<Value, Result>(
  value: Soon<Value>,
  act: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(act) : act(value)
}

/** Runs `act`; whatever goes wrong in it, now or later, becomes what `failed` makes of it. */
export function orElse<Value>(act: () => Soon<Value>, failed: (error: unknown) => Soon<Value>): Soon<Value> {
  try {
    const value = act()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}
