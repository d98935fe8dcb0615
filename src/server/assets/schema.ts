/** The assets of a wallet, as the journal stores them. */
import * as z from 'zod/mini'
import {assetOptionSchema, networkOptionSchema} from '../../contract/index.js'

/** A network option and its deposit address. Later reads are compared with the address at minting. */
const walletNetworkSchema = z.extend(networkOptionSchema, {
  address: z.string(),
  contract: z.optional(z.string()),
})

export const walletAssetSchema = z.extend(assetOptionSchema, {
  /** The name that convert's response may use instead of the symbol. */
  currency: z.string(),
  networks: z.array(walletNetworkSchema),
})

export type WalletAsset = z.infer<typeof walletAssetSchema>
export type WalletNetwork = z.infer<typeof walletNetworkSchema>
