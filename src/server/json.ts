/** JSON from the service, read without losing a digit: every number stays as it was written. */
import {parse} from 'lossless-json'
import {ExactNumber} from '../contract/index.js'

/** Throws on anything that is not JSON. */
export function parseExact(text: string): unknown {
  return parse(text, undefined, {parseNumber: number => new ExactNumber(number), onDuplicateKey: keepLast})
}

/** As `JSON.parse` does. */
function keepLast({newValue}: {newValue: unknown}): unknown {
  return newValue
}
