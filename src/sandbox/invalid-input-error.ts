import type * as z from 'zod/mini'

/** Asked for something that makes no sense. The message is meant for whoever asked. */
export class InvalidInputError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidInput'
  }
}

/** What is wrong with a value, one line: `amount: must be … ; times: …`. */
export function formatIssues(error: z.core.$ZodError): string {
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
