import type {HttpReply} from '../http/index.js'

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): HttpReply {
  return textReply(status, JSON.stringify(value), headers)
}

/** Text that is, or pretends to be, JSON. */
export function textReply(status: number, body: string, headers: Record<string, string> = {}): HttpReply {
  return {status, headers: {'content-type': 'application/json; charset=utf-8', ...headers}, body}
}

/** The shape of the service's errors is not documented; this is ours. */
export function errorReply(status: number, message: string, headers: Record<string, string> = {}): HttpReply {
  return jsonReply(status, {message}, headers)
}
