/** The assets of the service's wallet, in one shape: the service lists an asset with one network and with several differently. */
import type {AssetEntry, NetworkEntry, Wallet} from '../../contract/index.js'
import {findNetwork, isLegacy, isNativeCoin, isPegged} from '../chains/index.js'
import {omitUndefined} from '../base/omit-undefined.js'
import type {WalletAsset, WalletNetwork} from './schema.js'

export function walletAssetsOf(wallet: Wallet): WalletAsset[] {
  const assets = new Map<string, WalletAsset>()
  for (const entry of wallet.addresses) {
    const asset = toWalletAsset(entry)
    const listed = assets.get(asset.id)
    if (asset.networks.length > 0) assets.set(asset.id, listed ? merge(listed, asset) : asset)
  }
  return [...assets.values()]
}

/** An asset that the service lists twice has the networks of both. An enabled network precedes a disabled one. */
function merge(a: WalletAsset, b: WalletAsset): WalletAsset {
  const networks = new Map<string, WalletNetwork>()
  for (const network of [...networksOf(a), ...networksOf(b)]) {
    const listed = networks.get(network.id)
    if (!listed || (listed.disabled && !network.disabled)) networks.set(network.id, network)
  }
  return {
    ...a,
    featured: a.featured || b.featured,
    networks: [...networks.values()],
    disabled: a.disabled && b.disabled,
  }
}

function networksOf({networks, disabled}: WalletAsset): readonly WalletNetwork[] {
  return disabled ? networks.map(network => ({...network, disabled})) : networks
}

function toWalletAsset(entry: AssetEntry): WalletAsset {
  const id = entry.convert_id
  const entries: readonly NetworkEntry[] = 'networks' in entry ? entry.networks : [singleNetwork(entry)]
  const logo = safeLogo(entry.logo)
  return {
    id,
    symbol: entry.symbol,
    name: entry.name || entry.symbol,
    currency: entry.currency || entry.symbol,
    ...omitUndefined({logo}),
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

function toNetwork(convertId: string, entry: NetworkEntry, isToken: boolean): WalletNetwork {
  const id = entry.network || entry.name
  const info = findNetwork(id)
  const contract = (info?.family === 'algorand' ? entry.asset_id : entry.contract_address) || undefined
  const isCoin = contract === undefined && (!isToken || isNativeCoin({convertId, network: id, contract}))
  return {
    id,
    name: info?.name ?? id,
    ...(info && !isCoin ? {standard: info.tokenStandard} : {}),
    ...(isPegged(convertId, id) ? {pegged: true} : {}),
    ...(isLegacy(convertId) ? {legacy: true} : {}),
    ...(info ? {confirmationTime: info.confirmationTime} : {}),
    disabled: entry.isDisabled === true,
    address: entry.account.address,
    ...omitUndefined({contract}),
  }
}

/** Only https, because the customer's browser loads it. */
function safeLogo(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' && !url.username && !url.password ? url.href : undefined
}
