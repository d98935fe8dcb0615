/**
 * A value, or a promise of it. Most reads are served from memory. Synchronous values skip the microtask that `await`
 * costs, which takes longer than the read itself.
 */
export type MaybePromise<Value> = Value | Promise<Value>

export function mapMaybePromise<Value, Result>(
  value: MaybePromise<Value>,
  transform: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(transform) : transform(value)
}

/** Runs `act` and handles its error, whether thrown or rejected, with `onError`. */
export function catchMaybePromise<Value>(
  act: () => MaybePromise<Value>,
  onError: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = act()
    return value instanceof Promise ? value.catch(onError) : value
  } catch (error) {
    return onError(error)
  }
}
