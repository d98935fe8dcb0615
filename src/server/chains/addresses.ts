/**
 * Checks of deposit addresses. Money sent to a wrong address is lost, so the server checks each address before it
 * returns a quote: EIP-55 for EVM chains, the checksum for Algorand.
 */
import {sha512_256} from '@noble/hashes/sha2.js'
import {keccak_256} from '@noble/hashes/sha3.js'
import {bytesToHex} from '@noble/hashes/utils.js'
import {findNetwork} from './networks.js'

const EVM = /^0x[0-9a-fA-F]{40}$/
const ZERO = /^0x0{40}$/
const ALGORAND = /^[A-Z2-7]{58}$/
const ALGORAND_ZERO = /^A{52}/
/** For unknown networks: printable ASCII without spaces. */
const PRINTABLE_WORD = /^[\x21-\x7e]{1,200}$/

/**
 * Returns the address to show (EVM: checksummed), or undefined when the address is not safe.
 *
 * @param contract the token's contract, which is not a safe address: tokens sent to their own contract are lost
 */
export function depositAddress(address: string, network: string, contract?: string): string | undefined {
  switch (findNetwork(network)?.family) {
    case 'evm': {
      if (!EVM.test(address) || ZERO.test(address)) return undefined
      const valid = checksummed(address)
      const isPlain = address === address.toLowerCase()
      if (!isPlain && address !== valid) return undefined
      return contract?.toLowerCase() === valid.toLowerCase() ? undefined : valid
    }
    case 'algorand':
      return isAlgorandAddress(address) && !ALGORAND_ZERO.test(address) ? address : undefined
    case undefined:
      return PRINTABLE_WORD.test(address) ? address : undefined
  }
}

/**
 * Returns the address to send a customer's money back to, or undefined when it cannot be right. Some wallets write EVM
 * addresses in capitals.
 */
export function refundAddress(address: string, network: string): string | undefined {
  const digits = address.slice(2)
  const isCapital = EVM.test(address) && digits === digits.toUpperCase()
  return depositAddress(isCapital ? address.toLowerCase() : address, network)
}

/** Compares EVM addresses without regard to letter case. */
export function sameAddress(a: string, b: string): boolean {
  return a === b || (EVM.test(a) && a.toLowerCase() === b.toLowerCase())
}

/** EIP-55: a letter is upper case where the hash of the lower-case address has a hexadecimal digit of 8 or more. */
export function checksummed(address: string): string {
  const plain = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(plain)))
  const letters = [...plain].map((letter, index) =>
    parseInt(hash.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  )
  return `0x${letters.join('')}`
}

/** An Algorand address is a public key of 32 bytes and the last 4 bytes of its SHA-512/256, in base32 without padding. */
export function isAlgorandAddress(address: string): boolean {
  if (!ALGORAND.test(address)) return false
  const bytes = fromBase32(address)
  const checksum = sha512_256(bytes.slice(0, 32)).slice(-4)
  // 58 characters hold 2 bits more than 36 bytes. They must be zero, or two addresses would name one account.
  const unusedBits = base32Digit(address.charAt(57)) & 0b11
  return unusedBits === 0 && bytesToHex(checksum) === bytesToHex(bytes.slice(32, 36))
}

function base32Digit(letter: string): number {
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter)
}

function fromBase32(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let buffer = 0
  let bits = 0
  let length = 0
  for (const letter of text) {
    buffer = ((buffer << 5) | base32Digit(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[length++] = (buffer >> bits) & 0xff
    }
  }
  return bytes
}
