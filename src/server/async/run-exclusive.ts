/** Runs `act` when all that was queued under this key before has ended. */
export function runExclusive<Result>(
  queue: Map<string, Promise<unknown>>,
  key: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = queue.get(key) ?? Promise.resolve()
  const turn = before.then(act, act)
  queue.set(key, turn)
  const leave = () => {
    if (queue.get(key) === turn) queue.delete(key)
  }
  turn.then(leave, leave)
  return turn
}
