import algosdk from 'algosdk'
import fc from 'fast-check'
import {getAddress} from 'viem/utils'

function bytes(length: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({minLength: length, maxLength: length}).map(array => Buffer.from(array))
}

export const randomEvmAddress = bytes(20).map(address => getAddress(`0x${address.toString('hex')}`))
export const randomAlgorandAddress = bytes(32).map(key => algosdk.encodeAddress(key))
