/**
 * Generates ids, hashes and deposit addresses. Each is a hash of a random salt and a counter, so that all are unique and
 * the same `random` gives the same values.
 */
import {keccak_256} from '@noble/hashes/sha3.js'
import {sha256, sha512_256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'

export type IdGenerator = ReturnType<typeof createIdGenerator>

export interface Seed {
  readonly salt: string
  count: number
}

export function seedOf(random: () => number): Seed {
  const words = Array.from({length: 4}, () => Math.floor(random() * 2 ** 32).toString(16))
  return {salt: words.join('-'), count: 0}
}

/** Counts in `seed`, so that a later generator continues. */
export function createIdGenerator(seed: Seed) {
  const next = (purpose: string) => sha256(utf8ToBytes(`${seed.salt} ${purpose} ${seed.count++}`))
  const hash = (purpose: string, network: string) =>
    network === 'algorand' ? base32(next(purpose)) : `0x${bytesToHex(next(purpose))}`
  return {
    /** 24 hexadecimal digits, like the service's ids. */
    id: () => bytesToHex(next('id')).slice(0, 24),
    /** Eight capitals and digits. */
    code: () => base32(next('code')).slice(0, 8),
    transactionId: (network: string) => hash('transaction', network),
    blockHash: (network: string) => hash('block', network),
    address: (network: string) => {
      const bytes = next('address')
      return network === 'algorand' ? algorandAddress(bytes) : evmAddress(bytes.subarray(0, 20), network)
    },
  }
}

/** The service sends both forms: here lower case on bsc, EIP-55 elsewhere. */
function evmAddress(bytes: Uint8Array, network: string): string {
  const digits = bytesToHex(bytes)
  return network === 'bsc' ? `0x${digits}` : checksummed(digits)
}

/** EIP-55: a letter is a capital if the digit at its place in the hash of the lower-case address is 8 or more. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** The public key and the last four bytes of its hash, in base32 without padding. */
function algorandAddress(publicKey: Uint8Array): string {
  const address = new Uint8Array(36)
  address.set(publicKey)
  address.set(sha512_256(publicKey).subarray(-4), 32)
  return base32(address)
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32.charAt((buffer >> bits) & 31)
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32.charAt((buffer << (5 - bits)) & 31) : text
}

/** The service returns another `userId` than the one sent. Its rule is unknown; this one is our own. */
export function storedUserId(userId: string): string {
  return bytesToHex(sha256(utf8ToBytes(`user ${userId}`))).slice(0, 24)
}
