/**
 * What is there is used at once, what is not is waited for. Most reads are answered from what this process knows, and
 * an `await` on the way would put each of them off, which costs more than the reading itself.
 */
export type MaybePromise<Value> = Value | Promise<Value>

export function mapMaybePromise<Value, Result>(
  value: MaybePromise<Value>,
  act: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(act) : act(value)
}

/** Runs `act`; whatever goes wrong in it, now or later, becomes what `failed` makes of it. */
export function catchMaybePromise<Value>(
  act: () => MaybePromise<Value>,
  failed: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = act()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}
