/** The result of one check. */
export interface Finding {
  readonly check: string
  /** Only a failure sets the exit code. `skipped`: an argument is missing. */
  readonly result: 'ok' | 'warning' | 'failure' | 'skipped'
  readonly message: string
  /** What to do. */
  readonly advice?: string
}

/** Makes the findings of one check. */
export function findings(check: string) {
  const found = (result: Finding['result']) => (message: string, advice?: string) => ({
    check,
    result,
    message,
    ...(advice !== undefined && {advice}),
  })
  return {
    ok: found('ok'),
    warning: found('warning'),
    failure: found('failure'),
    skipped: found('skipped'),
  }
}
