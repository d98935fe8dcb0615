/**
 * The assets of a charge in memory. Everything but the addresses is usually the same for all charges of a shop, so
 * charges share one catalogue.
 */
import type {AssetOption, NetworkOption} from '../../contract/index.js'
import {omitUndefined} from '../base/omit-undefined.js'
import type {WalletAsset, WalletNetwork} from './schema.js'

type ListedNetwork = Omit<WalletNetwork, 'address'>
export type ListedAsset = Omit<WalletAsset, 'networks'> & {readonly networks: readonly ListedNetwork[]}

export interface Catalogue {
  readonly assets: readonly ListedAsset[]
}

export interface WalletAssets {
  readonly catalogue: Catalogue
  /** One for each network of each asset, in the order of the catalogue. */
  readonly addresses: readonly string[]
}

export interface AssetOnNetwork {
  readonly asset: ListedAsset
  readonly network: WalletNetwork
}

export function toWalletAssets(assets: readonly WalletAsset[]): WalletAssets {
  const listed = assets.map(({networks, ...asset}) => ({
    ...asset,
    networks: networks.map(({address: _, ...network}) => network),
  }))
  return {
    catalogue: internCatalogue(listed),
    addresses: assets.flatMap(({networks}) => networks.map(({address}) => address)),
  }
}

export function sameWalletAssets(a: WalletAssets, b: WalletAssets): boolean {
  return a.catalogue === b.catalogue && a.addresses.every((address, index) => address === b.addresses[index])
}

export function findPair(
  {catalogue, addresses}: WalletAssets,
  assetId: string,
  networkId: string,
): AssetOnNetwork | undefined {
  let offset = 0
  for (const asset of catalogue.assets) {
    if (asset.id === assetId) {
      const index = asset.networks.findIndex(({id}) => id === networkId)
      const network = asset.networks[index]
      const address = addresses[offset + index]
      return network && address !== undefined ? {asset, network: {...network, address}} : undefined
    }
    offset += asset.networks.length
  }
  return undefined
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
}: ListedAsset): AssetOption {
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
}: ListedNetwork): NetworkOption {
  return {
    id,
    name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    disabled,
  }
}

/** A shop has one catalogue, or a few while the service changes something. */
const MAX_CATALOGUES = 100
const catalogues = new Map<string, Catalogue>()

function internCatalogue(assets: readonly ListedAsset[]): Catalogue {
  const key = JSON.stringify(assets)
  const interned = catalogues.get(key)
  if (interned) return interned
  const catalogue = {assets}
  if (catalogues.size >= MAX_CATALOGUES) catalogues.clear()
  catalogues.set(key, catalogue)
  return catalogue
}
