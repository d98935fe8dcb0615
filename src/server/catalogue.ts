/**
 * The assets of a charge, as they are held in memory. Nearly all that a wallet says is the same for each charge of a
 * shop: that is the catalogue, and charges share it. Only the addresses are a charge's own.
 */
import type {AssetOption, NetworkOption} from '../contract/index.js'
import {given} from './given.js'
import type {Offer, OfferedNetwork} from './journal/entries.js'

type ListedNetwork = Omit<OfferedNetwork, 'address'>
type ListedAsset = Omit<Offer, 'networks'> & {readonly networks: readonly ListedNetwork[]}

export interface Catalogue {
  readonly assets: readonly ListedAsset[]
  /** What the customer may know of them, as JSON. */
  readonly json: string
}

export interface Offers {
  readonly catalogue: Catalogue
  /** One for each network of each asset, in the order of the catalogue. */
  readonly addresses: readonly string[]
}

export interface Pair {
  readonly offer: ListedAsset
  readonly network: OfferedNetwork
}

export function toOffers(offers: readonly Offer[]): Offers {
  const assets = offers.map(({networks, ...asset}) => ({
    ...asset,
    networks: networks.map(({address: _, ...network}) => network),
  }))
  return {
    catalogue: shared(assets),
    addresses: offers.flatMap(({networks}) => networks.map(({address}) => address)),
  }
}

export function sameOffers(a: Offers, b: Offers): boolean {
  return a.catalogue === b.catalogue && a.addresses.every((address, place) => address === b.addresses[place])
}

export function findPair({catalogue, addresses}: Offers, asset: string, network: string): Pair | undefined {
  let place = 0
  for (const offer of catalogue.assets) {
    if (offer.id === asset) {
      const index = offer.networks.findIndex(({id}) => id === network)
      const found = offer.networks[index]
      const address = addresses[place + index]
      return found && address !== undefined ? {offer, network: {...found, address}} : undefined
    }
    place += offer.networks.length
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
    ...given({logo}),
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
  settles,
  disabled,
}: ListedNetwork): NetworkOption {
  return {
    id,
    name,
    ...given({standard, pegged, legacy, settles}),
    disabled,
  }
}

/** A shop has one, or a few while the service changes something. */
const MOST_CATALOGUES = 100
const catalogues = new Map<string, Catalogue>()

function shared(assets: readonly ListedAsset[]): Catalogue {
  const key = JSON.stringify(assets)
  const known = catalogues.get(key)
  if (known) return known
  const made = {assets, json: JSON.stringify(assets.map(toAssetOption))}
  if (catalogues.size >= MOST_CATALOGUES) catalogues.clear()
  catalogues.set(key, made)
  return made
}
