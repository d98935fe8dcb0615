/** Finds and shows the assets of a wallet. */
import type {AssetOption, NetworkOption} from '../../contract/index.js'
import {omitUndefined} from '../base/omit-undefined.js'
import type {WalletAsset, WalletNetwork} from './schema.js'

export interface AssetOnNetwork {
  readonly asset: WalletAsset
  readonly network: WalletNetwork
}

export function findPair(
  assets: readonly WalletAsset[],
  assetId: string,
  networkId: string,
): AssetOnNetwork | undefined {
  const asset = assets.find(({id}) => id === assetId)
  const network = asset?.networks.find(({id}) => id === networkId)
  return asset && network && {asset, network}
}

/** The public fields of an asset: no address (invariant 1), field by field (invariant 6). */
export function toAssetOption({
  id,
  symbol,
  name,
  logo,
  featured,
  networks,
  disabled,
}: WalletAsset): AssetOption {
  return {
    id,
    symbol,
    name,
    ...omitUndefined({logo}),
    featured,
    networks: networks.map(toNetworkOption),
    disabled,
  }
}

function toNetworkOption({
  id,
  name,
  standard,
  pegged,
  legacy,
  confirmationTime,
  disabled,
}: WalletNetwork): NetworkOption {
  return {
    id,
    name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    disabled,
  }
}
