import * as z from 'zod/mini'

/** Invalid input. The message is shown to the caller. */
export class InvalidInputError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidInputError'
  }
}

/** Throws `InvalidInputError` with the reason; `what` is named before it. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  what = '',
): z.infer<Schema> {
  const result = z.safeParse(schema, input)
  if (!result.success) throw new InvalidInputError(what + formatIssues(result.error))
  return result.data
}

/** All issues in one line: `amount: must be …; times: …`. */
function formatIssues(error: z.core.$ZodError): string {
  return error.issues
    .map(issue => [issue.path.join('.'), reason(issue)].filter(Boolean).join(': '))
    .join('; ')
}

function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}`
    case 'invalid_union':
      return issue.message === 'Invalid input' ? 'is not one of the known kinds' : issue.message
    case 'too_small':
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    default:
      return issue.message
  }
}
