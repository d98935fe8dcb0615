/** The types of `browser-wallet.js` for the stories. */
export const networks: Readonly<Record<string, string>>

export interface WalletToken {
  readonly symbol: string
  readonly network: string
  readonly contract?: string | undefined
  readonly decimals: number
}

export interface SentRequest {
  readonly network: string
  readonly to: string
  readonly value: string
  readonly data: string
}

export interface BrowserWallet {
  readonly network: string
  readonly question: string | null
  setNetwork(name: string): void
  confirm(): void
  reject(): void
  balances(symbols: readonly string[]): string[]
  announce(): void
  close(): void
}

export function createBrowserWallet(options: {
  readonly tokens: readonly WalletToken[]
  readonly send: (request: SentRequest) => Promise<{readonly transactionId: string} | null>
  readonly onChange?: () => void
  readonly isAutomatic?: boolean
}): BrowserWallet
