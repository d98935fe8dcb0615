/** JSON from the service, read without losing a digit: a number that a float could change stays as it was written. */
import {parse} from 'lossless-json'
import {ExactNumber} from '../../contract/index.js'

/**
 * A number with a fraction, an exponent, or more digits than a float holds. Found inside a text, too: that costs time,
 * never a digit.
 */
const INEXACT = /(?:^|[:,[])\s*-?(?:\d{16}|\d+[.eE])/

/** Throws on anything that is not JSON. */
export function parseLossless(text: string): unknown {
  // Most answers are about charges that nobody has paid yet, and hold no such number.
  if (!INEXACT.test(text)) return JSON.parse(text)
  return parse(text, flattenString, {
    parseNumber: number => new ExactNumber(number),
    onDuplicateKey: keepLast,
  })
}

/** As `JSON.parse` does. */
function keepLast({newValue}: {newValue: unknown}): unknown {
  return newValue
}

/**
 * The parser puts a text together letter by letter, and the engine remembers each step, which weighs 32 bytes for as
 * long as the text is held; a copy has none of it. So with numbers, which hold on to the whole answer.
 */
function flattenString(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(JSON.stringify(value)) : value
}
