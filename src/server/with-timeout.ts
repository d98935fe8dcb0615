/**
 * Settles as the answer does, or rejects when it takes longer. What was asked for goes on; when it comes, nobody listens.
 *
 * @param milliseconds at most
 */
export function withTimeout<Value>(answer: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(() => reject(new Error('overdue')), milliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(overdue))
  })
}
