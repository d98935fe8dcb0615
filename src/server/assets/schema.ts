/** The assets of a charge as the service offers them, with the addresses of minting. */
import * as z from 'zod/mini'
import {assetOptionSchema, networkOptionSchema} from '../../contract/index.js'

/** A network option, with the address that the service gave at minting: a later read is compared with it. */
const walletNetworkSchema = z.extend(networkOptionSchema, {
  address: z.string(),
  contract: z.optional(z.string()),
})

/** An asset as the service offers it for a charge. */
export const walletAssetSchema = z.extend(assetOptionSchema, {
  /** Convert may return this instead of the symbol. */
  currency: z.string(),
  networks: z.array(walletNetworkSchema),
})

export type WalletAsset = z.infer<typeof walletAssetSchema>
export type WalletNetwork = z.infer<typeof walletNetworkSchema>
