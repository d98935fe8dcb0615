/** What the calls of an OpenAPI document share. */
import {toJSONSchema, type registry} from 'zod/mini'
import {problemStatus, problemTitle, type ProblemCode} from '../../contract/index.js'

export const generalCodes: ProblemCode[] = ['forbidden_origin', 'method_not_allowed', 'internal']
export const storeCodes: ProblemCode[] = ['store_lost', 'store_unavailable']
export const bodyCodes: ProblemCode[] = ['bad_request', 'payload_too_large', 'unsupported_media_type']
export const serviceCodes: ProblemCode[] = [
  ...(['upstream_invalid', 'upstream_rejected'] as const),
  ...(['upstream_unavailable', 'upstream_timeout'] as const),
]

const required = true
const headers = {
  'cache-control': {required, schema: {const: 'no-store'}},
  'x-content-type-options': {required, schema: {const: 'nosniff'}},
  'x-request-id': {required, description: 'Unique; also in a problem.', schema: {type: 'string'}},
}

export type Schemas = ReturnType<typeof registry<{id: string}>>

/** As a client parses them: unknown fields are allowed. */
export function components(schemas: Schemas): Record<string, unknown> {
  const generated = toJSONSchema(schemas, {io: 'input', uri: id => `#/components/schemas/${id}`})
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([name, {$schema: _, $id: __, ...schema}]) => [name, schema]),
  )
}

export function ref(name: string) {
  return {$ref: `#/components/schemas/${name}`}
}

export function body(schema: object) {
  return {required: true, content: {'application/json': {schema}}}
}

export function json(description: string, schema: object) {
  return {description, headers, content: {'application/json': {schema}}}
}

/** The successful response, and one for each status of these problem codes. */
export function responses(success: object, ...codes: ProblemCode[]): Record<number, unknown> {
  const problems = codes.map(code => {
    const status = problemStatus[code]
    return [status, problem(codes.filter(other => problemStatus[other] === status))] as const
  })
  return Object.fromEntries([[200, success], ...problems])
}

function problem(codes: readonly ProblemCode[]) {
  const mayWait = codes.some(code => ['upstream_unavailable', 'store_unavailable'].includes(code))
  return {
    description: codes.map(code => `\`${code}\`: ${problemTitle[code]}`).join(' '),
    headers: {
      ...headers,
      ...(mayWait && {'retry-after': {description: 'Seconds.', schema: {type: 'integer'}}}),
      ...(codes.includes('method_not_allowed') && {allow: {schema: {type: 'string'}}}),
    },
    content: {
      'application/problem+json': {schema: {allOf: [ref('Problem'), {properties: {code: {enum: codes}}}]}},
    },
  }
}
