/**
 * New ids, hashes and deposit addresses. Each is a hash of one random salt and a running number: no two alike, and the
 * same again when the randomness is the same.
 */
import {keccak_256} from '@noble/hashes/sha3.js'
import {sha256, sha512_256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'

export interface IdGenerator {
  /** 24 hexadecimal digits, as the service's ids look. */
  id(): string
  /** A short code of capitals and digits. */
  code(): string
  /** As this network writes the hash of a transaction. */
  transactionId(network: string): string
  blockHash(network: string): string
  /** An address that nobody had before, in the form of this network. */
  address(network: string): string
}

export function createIdGenerator(random: () => number): IdGenerator {
  const salt = Array.from({length: 4}, () => Math.floor(random() * 2 ** 32).toString(16)).join('-')
  let count = 0
  const next = (purpose: string) => sha256(utf8ToBytes(`${salt} ${purpose} ${count++}`))
  const hash = (purpose: string, network: string) =>
    network === 'algorand' ? base32(next(purpose)) : `0x${bytesToHex(next(purpose))}`
  return {
    id: () => bytesToHex(next('id')).slice(0, 24),
    code: () => base32(next('code')).slice(0, 8),
    transactionId: network => hash('transaction', network),
    blockHash: network => hash('block', network),
    address: network => {
      const bytes = next('address')
      return network === 'algorand' ? algorandAddress(bytes) : evmAddress(bytes.subarray(0, 20), network)
    },
  }
}

/** Both forms that real addresses come in: lower case on bsc, EIP-55 elsewhere. */
function evmAddress(bytes: Uint8Array, network: string): string {
  const digits = bytesToHex(bytes)
  return network === 'bsc' ? `0x${digits}` : checksummed(digits)
}

/** EIP-55: a digit is a capital where the hash of the lower-case address has a high one. */
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
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += BASE32.charAt((held >> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32.charAt((held << (5 - bits)) & 31) : text
}

/** The service answers with another `userId` than the one that was sent; its rule is not known, this one is ours. */
export function storedUserId(userId: string): string {
  return bytesToHex(sha256(utf8ToBytes(`user ${userId}`))).slice(0, 24)
}
