/** Facts about the service's networks. An unknown network still works, without them. */
export interface Network {
  readonly name: string
  readonly family: 'evm' | 'algorand'
  readonly chainId?: number
  /** The SLIP-44 type of an EVM network's own coin. */
  readonly coinType?: number
  /** The standard of its tokens. Its native coin has none. */
  readonly tokenStandard: string
  /** The usual time until a payment is confirmed. */
  readonly confirmationTime: 'under-a-minute' | 'minutes'
  readonly transactionUrl: (hash: string) => string
}

const networks: Readonly<Record<string, Network>> = {
  ethereum: {
    name: 'Ethereum',
    family: 'evm',
    chainId: 1,
    coinType: 60,
    tokenStandard: 'ERC-20',
    confirmationTime: 'minutes',
    transactionUrl: hash => `https://etherscan.io/tx/${hash}`,
  },
  bsc: {
    name: 'BNB Smart Chain',
    family: 'evm',
    chainId: 56,
    coinType: 714,
    tokenStandard: 'BEP-20',
    confirmationTime: 'under-a-minute',
    transactionUrl: hash => `https://bscscan.com/tx/${hash}`,
  },
  polygon: {
    name: 'Polygon',
    family: 'evm',
    chainId: 137,
    coinType: 966,
    tokenStandard: 'ERC-20',
    confirmationTime: 'under-a-minute',
    transactionUrl: hash => `https://polygonscan.com/tx/${hash}`,
  },
  algorand: {
    name: 'Algorand',
    family: 'algorand',
    tokenStandard: 'ASA',
    confirmationTime: 'under-a-minute',
    transactionUrl: hash => `https://explorer.perawallet.app/tx/${hash}/`,
  },
}

export function findNetwork(id: string): Network | undefined {
  return Object.hasOwn(networks, id) ? networks[id] : undefined
}

const TRANSACTION_ID = /^[A-Za-z0-9]{1,128}$/

/** The transaction's page in a public block explorer; undefined for an unknown network or an unexpected id. */
export function transactionUrl(network: string, transactionId: string): string | undefined {
  return TRANSACTION_ID.test(transactionId) ? findNetwork(network)?.transactionUrl(transactionId) : undefined
}
