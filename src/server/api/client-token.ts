/**
 * Client tokens: `<expiry>.<HMAC-SHA-256 of charge id and expiry>`, in decimal and hexadecimal digits. A token allows a
 * page to use one charge until the expiry.
 */
import {hmac} from '@noble/hashes/hmac.js'
import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'

const TOKEN = /^(\d{1,12})\.([0-9a-f]{64})$/

/** @param expires seconds since 1970 UTC */
export function signToken(secret: string, chargeId: string, expires: number): string {
  return `${expires}.${signature(secret, chargeId, expires)}`
}

/** Takes the same time for every token of the right form. */
export function isValidToken(secret: string, chargeId: string, token: string, now: number): boolean {
  const match = TOKEN.exec(token)
  if (!match) return false
  const [, expires = '', mac = ''] = match
  const isGenuine = equalInConstantTime(mac, signature(secret, chargeId, Number(expires)))
  return isGenuine && Number(expires) * 1000 > now
}

function signature(secret: string, chargeId: string, expires: number): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${chargeId}.${expires}`)))
}

function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
