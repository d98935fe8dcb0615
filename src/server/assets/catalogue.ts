/**
 * The assets of a charge, as they are held in memory. Nearly all that a wallet says is the same for each charge of a
 * shop: that is the catalogue, and charges share it. Only the addresses are a charge's own.
 */
import type {AssetOption, NetworkOption} from '../../contract/index.js'
import {omitUndefined} from '../omit-undefined.js'
import type {WalletAsset, WalletNetwork} from './schema.js'

type ListedNetwork = Omit<WalletNetwork, 'address'>
type ListedAsset = Omit<WalletAsset, 'networks'> & {readonly networks: readonly ListedNetwork[]}

export interface Catalogue {
  readonly assets: readonly ListedAsset[]
  /** What the customer may know of them, as JSON. */
  readonly json: string
}

export interface WalletAssets {
  readonly catalogue: Catalogue
  /** One for each network of each asset, in the order of the catalogue. */
  readonly addresses: readonly string[]
}

export interface AssetOnNetwork {
  readonly offer: ListedAsset
  readonly network: WalletNetwork
}

export function toWalletAssets(offers: readonly WalletAsset[]): WalletAssets {
  const assets = offers.map(({networks, ...asset}) => ({
    ...asset,
    networks: networks.map(({address: _, ...network}) => network),
  }))
  return {
    catalogue: internCatalogue(assets),
    addresses: offers.flatMap(({networks}) => networks.map(({address}) => address)),
  }
}

export function sameWalletAssets(a: WalletAssets, b: WalletAssets): boolean {
  return (
    a.catalogue === b.catalogue && a.addresses.every((address, indexKey) => address === b.addresses[indexKey])
  )
}

export function findPair(
  {catalogue, addresses}: WalletAssets,
  asset: string,
  network: string,
): AssetOnNetwork | undefined {
  let indexKey = 0
  for (const offer of catalogue.assets) {
    if (offer.id === asset) {
      const index = offer.networks.findIndex(({id}) => id === network)
      const found = offer.networks[index]
      const address = addresses[indexKey + index]
      return found && address !== undefined ? {offer, network: {...found, address}} : undefined
    }
    indexKey += offer.networks.length
  }
  return undefined
}

/** What the customer may know of an offer: no address (invariant 1), field by field (invariant 6). */
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
  confirmationTime: confirmationTime,
  disabled,
}: ListedNetwork): NetworkOption {
  return {
    id,
    name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    disabled,
  }
}

/** A shop has one, or a few while the service changes something. */
const MAX_CATALOGUES = 100
const catalogues = new Map<string, Catalogue>()

function internCatalogue(assets: readonly ListedAsset[]): Catalogue {
  const key = JSON.stringify(assets)
  const known = catalogues.get(key)
  if (known) return known
  const made = {assets, json: JSON.stringify(assets.map(toAssetOption))}
  if (catalogues.size >= MAX_CATALOGUES) catalogues.clear()
  catalogues.set(key, made)
  return made
}
