/** The assets of a wallet, as they are offered for a charge: one shape for the service's two. */
import type {AssetEntry, NetworkEntry, Wallet} from '../contract/index.js'
import {findNetwork, isLegacy, isNativeCoin, isPegged} from './chains/index.js'
import {given} from './given.js'
import type {Offer, OfferedNetwork} from './journal/entries.js'

export function offersOf(wallet: Wallet): Offer[] {
  return wallet.addresses.flatMap(entry => {
    const offer = toOffer(entry)
    return offer.networks.length > 0 ? [offer] : []
  })
}

function toOffer(entry: AssetEntry): Offer {
  const id = entry.convert_id
  const entries: readonly NetworkEntry[] = 'networks' in entry ? entry.networks : [singleNetwork(entry)]
  const logo = safeLogo(entry.logo)
  return {
    id,
    symbol: entry.symbol,
    name: entry.name || entry.symbol,
    currency: entry.currency || entry.symbol,
    ...given({logo}),
    featured: entry.isFeaturd === true,
    networks: entries.map(network => toNetwork(id, network, entry.isToken === true)),
    disabled: entry.isDisabled === true || entries.every(({isDisabled}) => isDisabled === true),
  }
}

function singleNetwork({
  network,
  account,
  contract_address,
  asset_id,
}: Exclude<AssetEntry, {networks: unknown}>): NetworkEntry {
  return {name: network, network, account, contract_address, asset_id, isDisabled: false}
}

function toNetwork(convertId: string, entry: NetworkEntry, isToken: boolean): OfferedNetwork {
  const id = entry.network || entry.name
  const known = findNetwork(id)
  const contract = (known?.family === 'algorand' ? entry.asset_id : entry.contract_address) || undefined
  const isCoin = contract === undefined && (!isToken || isNativeCoin({convertId, network: id, contract}))
  return {
    id,
    name: known?.name ?? id,
    ...(known && !isCoin ? {standard: known.tokenStandard} : {}),
    ...(isPegged(convertId, id) ? {pegged: true} : {}),
    ...(isLegacy(convertId) ? {legacy: true} : {}),
    ...(known ? {settles: known.settles} : {}),
    disabled: entry.isDisabled === true,
    address: entry.account.address,
    ...given({contract}),
  }
}

/** Shown in the customer's page, so only over https. */
function safeLogo(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}
