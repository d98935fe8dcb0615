import {BodyReadError, BodyTooLargeError, type HttpReply} from '../http/index.js'
import {InvalidInputError} from './invalid-input-error.js'

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

/** Throws an error again that the client did not cause. */
export function replyToError(error: unknown): HttpReply {
  if (error instanceof InvalidInputError) return errorReply(400, error.message)
  if (error instanceof BodyTooLargeError) return errorReply(413, error.message)
  if (error instanceof BodyReadError) return errorReply(408, error.message)
  throw error
}
