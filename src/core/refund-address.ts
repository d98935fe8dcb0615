/** On these, the proxy compares the checksum of an address. */
const checkedNetworks = new Set(['algorand', 'bsc', 'ethereum', 'polygon'])
const EVM = /^0x(?=.*[a-f])(?=.*[A-F])[\da-fA-F]{40}$/
const ALGORAND = /^[A-Z2-7]{58}$/

/** Some wallets copy an address in groups. */
export function withoutSpace(address: string): string {
  return address.replaceAll(/\s/g, '')
}

/** Whether a mistake in the address would be noticed. If not, the customer enters it twice. */
export function hasChecksum(address: string, network: string): boolean {
  return checkedNetworks.has(network) && (EVM.test(address) || ALGORAND.test(address))
}
