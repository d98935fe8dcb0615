/** Builds a quote from the service's answer to a convert. Pure. */
import type {Money, Quote} from '../../contract/index.js'
import type {AssetOnNetwork} from '../assets/catalogue.js'
import {
  assetId,
  ceilUnits,
  findNetwork,
  findToken,
  payableAmount,
  paymentRequestUri,
} from '../chains/index.js'
import {omitUndefined} from '../base/omit-undefined.js'

/**
 * @param covers the local amount that was converted
 * @param amount the service's. It is rounded up here, once (invariant 2).
 * @param now milliseconds
 * @param ttl milliseconds after which the quote may be renewed
 */
export function toQuote(
  {asset, network}: AssetOnNetwork,
  covers: Money,
  amount: string,
  now: number,
  ttl: number,
): Quote {
  const {id, name, address, standard, pegged, legacy, confirmationTime, contract} = network
  const token = findToken({convertId: asset.id, network: id, contract})
  const payable = payableAmount(amount, token?.decimals)
  return {
    asset: asset.id,
    network: id,
    covers,
    symbol: asset.symbol,
    networkName: name,
    ...omitUndefined({standard, pegged, legacy, confirmationTime}),
    amount: payable,
    address,
    ...(token ? requestFields(id, token.contract ?? undefined, address, payable, token.decimals) : {}),
    quotedAt: new Date(now).toISOString(),
    refreshAfter: new Date(now + ttl).toISOString(),
  }
}

/** Only for a known contract, known decimals and a known network, so that a wallet does not guess. */
function requestFields(
  network: string,
  contract: string | undefined,
  address: string,
  amount: string,
  decimals: number,
): Partial<Quote> {
  const chainId = findNetwork(network)?.chainId
  const baseUnits = String(ceilUnits(amount, decimals))
  const uri = paymentRequestUri({network, contract, address, baseUnits})
  const caip19 = assetId(network, contract)
  return {...omitUndefined({contract, chainId, caip19}), baseUnits, ...omitUndefined({uri})}
}
