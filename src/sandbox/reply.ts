import type {HttpReply} from '../http/index.js'

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): HttpReply {
  return textReply(status, JSON.stringify(value), headers)
}

/** Sends text as JSON, even if a fault made it invalid. */
export function textReply(status: number, body: string, headers: Record<string, string> = {}): HttpReply {
  return {status, headers: {'content-type': 'application/json; charset=utf-8', ...headers}, body}
}

/** The service does not document its error format; this one is our own. */
export function errorReply(status: number, message: string, headers: Record<string, string> = {}): HttpReply {
  return jsonReply(status, {message}, headers)
}
