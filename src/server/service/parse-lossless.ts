/** Parses the service's JSON. A number that a float could change becomes an `ExactNumber` with its original digits. */
import {parse} from 'lossless-json'
import {ExactNumber} from '../../contract/index.js'

/**
 * A number with a fraction, an exponent, or more digits than a float holds. It also matches inside a string, which
 * only costs time.
 */
const INEXACT = /(?:^|[:,[])\s*-?(?:\d{16}|\d+[.eE])/

/** Throws on anything that is not JSON. */
export function parseLossless(text: string): unknown {
  // Most responses hold no such number, because the charge has no payments yet.
  if (!INEXACT.test(text)) return JSON.parse(text)
  return parse(text, flattenString, {
    parseNumber: number => new ExactNumber(number),
    onDuplicateKey: keepLast,
  })
}

/** Like `JSON.parse`. */
function keepLast({newValue}: {newValue: unknown}): unknown {
  return newValue
}

/**
 * Copies a string. The parser concatenates it character by character, and V8 keeps the concatenation as a tree of 32 bytes
 * for each step.
 */
function flattenString(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(JSON.stringify(value)) : value
}
