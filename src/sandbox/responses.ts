/** Converts the ledger to the service's JSON (specification, "Resources and their fields"). */
import {logo, type CatalogueAsset} from './catalogue.js'
import {storedUserId} from './generators.js'
import {pairKey, type Ledger} from './ledger.js'
import type {StoredCharge, StoredCryptoCharge, StoredPayment} from './state.js'
import {notDispatched} from './webhooks.js'

/** The response of create. The response of read has no `hosted_url`. */
export function createdCharge(ledger: Ledger, charge: StoredCharge, baseUrl: string) {
  return {...readCharge(ledger, charge), hosted_url: `${baseUrl}/pay/${charge.id}`}
}

export function readCharge(ledger: Ledger, charge: StoredCharge) {
  return {
    ...chargeFields(ledger, charge),
    status: status(ledger, charge),
    ...(charge.listsPayments && {payments: listed(charge, charge.payments)}),
  }
}

/** The charge inside a verification record, with its payments and `total_paid`. */
function verifiedCharge(ledger: Ledger, charge: StoredCharge) {
  const {value, context} = status(ledger, charge)
  const {total} = ledger.evaluate(charge)
  // In the specification's example of an underpaid charge, this is the amount paid, not the amount missing.
  const verified = value === 'underpaid' ? {...context, value: total} : context
  return {
    ...chargeFields(ledger, charge),
    status: {context: verified, value, total_paid: total},
    payments: listed(charge, charge.payments),
  }
}

function chargeFields(ledger: Ledger, {id, request, createdAt, payments}: StoredCharge) {
  const {vat, ...billing} = request.billing
  return {
    _id: id,
    chargeId: id,
    app_id: ledger.appId,
    ref_id: request.ref_id,
    customer: request.customer,
    billing: {...billing, ...(vat !== undefined && {vat: Number(vat)})},
    metadata: request.metadata,
    call_back_url: request.call_back_url,
    userId: storedUserId(request.userId),
    charge_source: request.charge_source,
    createdAt: iso(createdAt),
    __v: payments.length,
  }
}

function status(ledger: Ledger, charge: StoredCharge) {
  const {value, difference} = ledger.evaluate(charge)
  const isNew = charge.payments.length === 0 && !charge.status
  return {context: {status: isNew ? 'notpaid' : value, value: difference}, value}
}

/** The response of read has an empty `key` in every account, and the response of create has none. */
export function readCryptoCharge(
  ledger: Ledger,
  cryptoCharge: StoredCryptoCharge,
  key: {key?: string} = {key: ''},
) {
  const {id, code, isCancelled, createdAt, expiresAt} = cryptoCharge
  const charge = ledger.chargeOf(cryptoCharge)
  const payments = charge.payments.filter(each => each.cryptoChargeId === id)
  const {amount, currency} = charge.request.billing
  return {
    _id: id,
    charge_id: charge.id,
    app_id: ledger.appId,
    code,
    is_cancelled: isCancelled,
    wallet: {
      addresses: ledger.catalogue.map(asset => assetEntry(ledger, cryptoCharge, asset, key)),
      payments: listed(charge, payments),
      code,
      metadata: {chargeID: charge.id, app_id: ledger.appId},
      local_price: {amount, currency},
    },
    created_at: textDate(createdAt),
    expires_at: textDate(expiresAt),
    __v: payments.length,
  }
}

function assetEntry(
  ledger: Ledger,
  cryptoCharge: StoredCryptoCharge,
  asset: CatalogueAsset,
  key: {key?: string},
) {
  const {name, symbol, currency, convertId, isToken, featured, networks} = asset
  const fields = {
    name,
    symbol,
    currency,
    convert_id: convertId,
    chart: 'cmc',
    isToken,
    isDisabled: ledger.isDisabled(asset),
    ...(featured !== undefined && {isFeaturd: featured}),
    logo: logo(symbol),
  }
  const entries = networks.map(network => ({
    account: {address: cryptoCharge.addresses[pairKey(asset, network)] ?? '', ...key},
    isDisabled: ledger.isDisabled(asset, network),
    ...(network.contract !== undefined && {contract_address: network.contract}),
    ...(network.assetId !== undefined && {asset_id: network.assetId}),
  }))
  const [[network], [only]] = [networks, entries]
  if (network && only && networks.length === 1)
    return {
      ...fields,
      ...only,
      isMultiChain: false,
      isDisabled: fields.isDisabled || only.isDisabled,
      network: network.name,
    }
  return {
    ...fields,
    isMultiChain: true,
    networks: entries.map((entry, index) => {
      const network = networks[index]?.name ?? ''
      // Some entries of the service repeat the name as `network`, some do not. Here the first one does.
      return {name: network, ...(index === 0 && {network}), ...entry, logo: logo(network)}
    }),
  }
}

function listed(charge: StoredCharge, payments: readonly StoredPayment[]) {
  return payments.filter(({state}) => state !== 'dropped').map(each => payment(charge, each))
}

function payment({request}: StoredCharge, stored: StoredPayment) {
  const {network, transactionId, state, at, symbol, local, amount, block} = stored
  return {
    network,
    transaction_id: transactionId,
    status: state.toUpperCase(),
    timestamp: iso(at),
    value: {
      local: {amount: local, currency: request.billing.currency},
      crypto: {amount: Number(amount), currency: symbol},
    },
    block,
  }
}

export function verification(ledger: Ledger, stored: StoredPayment) {
  const {dispatch = notDispatched, at} = stored
  return {...recordFields(ledger, stored), ...dispatch, createdAt: iso(at), __v: 0}
}

/** The format is not documented. This has the ids and the metadata that the specification promises. */
export function webhook(ledger: Ledger, stored: StoredPayment) {
  return {...recordFields(ledger, stored), metadata: ledger.chargeOf(stored).request.metadata}
}

function recordFields(ledger: Ledger, stored: StoredPayment) {
  const {id, chargeId, cryptoChargeId, reference} = stored
  const charge = ledger.chargeOf(stored)
  return {
    _id: id,
    chargeId,
    cryptoChargeId,
    reference,
    data: {...payment(charge, stored), charge: verifiedCharge(ledger, charge)},
  }
}

function iso(timestamp: number): string {
  return new Date(timestamp).toISOString()
}

/** Formats as `Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)`. Drops the milliseconds. */
export function textDate(timestamp: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(timestamp)
    .toUTCString()
    .split(' ')
  return `${weekday.replace(',', '')} ${month} ${day} ${year} ${time} GMT+0000 (Coordinated Universal Time)`
}
