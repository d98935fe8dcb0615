/** The views of the plain page: one for each phase, without a script. Their forms send what the customer chooses. */
import type {
  AssetOption,
  Checkout,
  NetworkOption,
  ObservedPayment,
  Problem,
  Quote,
} from '../../contract/index.js'
import {excess} from '../../core/excess.js'
import type {DisplayedQuote, Pair} from '../../core/advance.js'
import {availableNetworks, onlyPair} from '../../core/choice.js'
import {sorted} from '../../core/listing.js'
import {parsePart} from '../../core/part.js'
import type {UnavailableReason, ViewState} from '../../core/phase.js'
import {isPermanent} from '../../core/problems.js'
import {pairForRemaining} from '../../core/remaining.js'
import {interpolate, pluralize} from '../../translations/format.js'
import {formatMoney} from '../../translations/format-money.js'
import {problemText, type FullLanguage} from '../../translations/translation.js'
import {markup, type Markup} from '../markup.js'
import type {PlainQuery} from './plain-state.js'
import {qrSvg} from './qr-svg.js'

export interface PlainContext extends FullLanguage {
  readonly query: PlainQuery
}

type Views = readonly Markup[]
type Money = Checkout['price']

/** The phases of the element that the plain page has: it never waits. */
export function phaseView(context: PlainContext, viewState: ViewState): readonly Markup[] {
  const {status} = context.translation
  switch (viewState.phase) {
    case 'idle':
    case 'loading':
    case 'quoting':
      return [heading(status.loading)]
    case 'unavailable':
      return unavailable(context, viewState.reason, viewState.chargeId)
    case 'choosing':
      return choosing(context, viewState.checkout)
    case 'paying':
      return paying(context, viewState.checkout, viewState.step.quote)
    case 'confirming':
      return confirming(context, viewState.checkout)
    case 'underpaid':
      return underpaid(context, viewState.checkout)
    case 'paid':
    case 'overpaid':
      return paid(context, viewState.checkout)
    case 'expired':
    case 'cancelled':
      return closed(context, viewState.checkout, viewState.phase)
  }
}

/** Description, price and the time left. */
export function orderSummary(context: PlainContext, checkout: Checkout): Markup {
  const {translation} = context
  const {description = translation.title, reference, price, test} = checkout
  const hasReference = reference !== undefined && !description.includes(reference)
  return markup`<header>
<p class="small"><span dir="auto">${description}</span>${hasReference ? markup` · <bdi translate="no">${reference}</bdi>` : undefined}
${test ? markup`<b class="badge">${translation.testBadge}</b>` : undefined}</p>
<p class="price">${money(context, price)}</p>
${checkout.payable ? timeLeft(context, checkout) : undefined}
</header>`
}

/** The customer's time zone is unknown. */
function timeLeft({translation, tag}: PlainContext, {expiresAt, serverTime}: Checkout): Markup | undefined {
  if (expiresAt === null) return undefined
  const minutes = Math.ceil((Date.parse(expiresAt) - Date.parse(serverTime)) / 60_000)
  if (minutes <= 0) return markup`<p class="time">${translation.timeIsUp}</p>`
  return markup`<p class="time"><b>${pluralize(translation.minutesLeft, minutes, locales(tag))}</b>
<time class="small" datetime="${expiresAt}">${dateText(tag, expiresAt)}</time></p>`
}

/** Opens the charge, if nobody has. */
export function opening({translation}: PlainContext): Views {
  return [
    heading(translation.title),
    markup`<form method="post" action="?"><button class="primary">${translation.title}</button></form>`,
  ]
}

/** In place of the checkout. */
export function failed(context: PlainContext, problem: Problem, keepsTrying: boolean): Views {
  const {translation} = context
  return [
    heading(translation.status.unavailable),
    markup`<div class="notice" role="alert">${problemTexts(context, problem)}
${keepsTrying ? markup`<p>${translation.keepsTrying}</p>` : undefined}</div>`,
    isPermanent(problem) ? markup`` : markup`<p><a class="button" href="?">${translation.retry}</a></p>`,
  ]
}

function problemTexts({translation}: PlainContext, problem: Problem): Markup {
  const text = problem.code === 'unauthorized' ? translation.tokenExpired : problemText(translation, problem)
  return markup`<p>${text}</p>
<p class="small">${translation.reference}${translation.colon}${data(`${problem.code} ${problem.requestId}`.trim())}</p>`
}

function unavailable(context: PlainContext, reason: UnavailableReason, chargeId: string): Views {
  const {translation} = context
  const isAlarm = reason.kind === 'alarm' || reason.kind === 'alert'
  const advice =
    reason.kind === 'alarm'
      ? [translation.doNotSend, translation.alarmContact]
      : reason.kind === 'alert'
        ? [translation.alerts[reason.alert], translation.alertContact]
        : [translation.closed]
  return [
    heading(isAlarm ? translation.alarm : translation.status.unavailable),
    markup`<div class="notice" role="alert">${advice.map(text => markup`<p>${text}</p>`)}</div>`,
    references(context, {chargeId}),
  ]
}

function choosing(context: PlainContext, checkout: Checkout): Views {
  const {translation, query} = context
  const part = query.part === null ? null : parsePart(query.part, checkout)
  const needsPart = checkout.acceptsPartial && query.part !== null && part === null
  return [
    heading(translation.status.choosing),
    ...notices(context, checkout),
    ...paidSoFar(context, checkout),
    partForm(context, checkout, part),
    needsPart ? markup`` : assetForm(context, checkout, part),
  ]
}

/** A form of its own, so that Enter in its field does not choose an asset. */
function partForm(context: PlainContext, {acceptsPartial, due}: Checkout, part: string | null): Markup {
  const {translation, query} = context
  if (!acceptsPartial) return markup``
  if (query.part === null)
    return markup`<p><a class="button" href="?choose&part=">${translation.payPart}</a></p>`
  const isInvalid = query.part !== '' && part === null
  return markup`<form class="part" action="?">
<input type="hidden" name="choose">
<label for="part">${translation.partAmount}</label>
<p><input id="part" name="part" inputmode="decimal" autocomplete="off" dir="ltr" size="12" value="${query.part}" aria-describedby="limit"${isInvalid ? markup` aria-invalid="true"` : undefined}>
<span translate="no">${due.currency}</span> <button>${translation.payPart}</button> <a class="button" href="?choose">${translation.payInFull}</a></p>
<p class="small" id="limit">${part === null ? interpolate(translation.partLimit, {due: moneyText(context, due)}) : partOf(context, {...due, amount: part}, due)}</p>
</form>`
}

function assetForm(context: PlainContext, checkout: Checkout, part: string | null): Markup {
  return markup`<form method="post" action="?">
${part === null ? undefined : markup`<input type="hidden" name="part" value="${part}">`}
<ul class="rows" aria-label="${context.translation.assets}">${sorted(checkout.assets).map(asset => markup`<li>${assetRow(context, asset)}</li>\n`)}</ul>
</form>`
}

function assetRow(context: PlainContext, asset: AssetOption): Markup {
  const {translation, tag} = context
  const only = onlyPair(asset)
  const [first] = availableNetworks(asset)
  const row = (extra: string) =>
    markup`<i class="logo" data-letter="${[...asset.symbol][0]}"></i>
${option(asset.symbol, asset.name === asset.symbol ? '' : asset.name, extra)}`
  if (!first) return markup`<div class="row" aria-disabled="true">${row(translation.notNow)}</div>`
  if (only)
    return markup`${choice(only, row(first.name === asset.name && !first.standard ? '' : networkLabel(first)))}
${traits(context, asset, first)}`
  return markup`<details name="asset"><summary class="row">${row(pluralize(translation.networkCount, asset.networks.length, locales(tag)))}</summary>
<p class="small">${interpolate(translation.chooseNetwork, {symbol: asset.symbol})}</p>
<ul>${asset.networks.map(network => markup`<li>${networkRow(context, asset, network)}</li>\n`)}</ul></details>`
}

function networkRow(context: PlainContext, asset: AssetOption, network: NetworkOption): Markup {
  const {translation} = context
  const {confirmationTime, standard = ''} = network
  const row = (extra = '') => option(network.name, standard, extra)
  if (network.disabled) return markup`<div class="row" aria-disabled="true">${row(translation.notNow)}</div>`
  const time = confirmationTime && translation.confirmationTime[confirmationTime]
  return markup`${choice({asset: asset.id, network: network.id}, row(time))}
${traits(context, asset, network)}`
}

function choice({asset, network}: Pair, content: Markup, style = 'row'): Markup {
  const pair = new URLSearchParams({asset, network}).toString()
  return markup`<button class="${style}" name="pair" value="${pair}">${content}</button>`
}

function option(name: string, more: string, extra: string): Markup {
  return markup`<span class="option"><span><b>${name}</b> <span class="small">${more}</span></span> <span class="small">${extra}</span></span>`
}

/** Such as "BNB Smart Chain, BEP-20". Native coins have no standard. */
function networkLabel({name, standard}: NetworkOption): string {
  return standard === undefined ? name : `${name}, ${standard}`
}

function traits({translation}: PlainContext, {symbol}: AssetOption, {pegged, legacy}: NetworkOption): Markup {
  const texts = [pegged && interpolate(translation.pegged, {symbol}), legacy && translation.legacy]
  const shown = texts.filter(Boolean).join(' · ')
  return shown ? markup`<p class="trait small">${shown}</p>` : markup``
}

/** Amount and address are exactly the strings that the API sends. */
function paying(context: PlainContext, checkout: Checkout, quote: DisplayedQuote): Views {
  const {translation} = context
  const {labels} = translation
  const {symbol, networkName, standard, amount, address, covers} = quote
  const network = standard === undefined ? networkName : `${networkName} (${standard})`
  const description = interpolate(translation.qrAddress, {amount, symbol, network: networkName, address})
  const warnings = [
    interpolate(translation.sendOnly, {symbol, network}),
    quote.pegged ? interpolate(translation.peggedWarning, {symbol, network: networkName}) : '',
    quote.legacy ? translation.legacyWarning : '',
  ]
  return [
    heading(translation.status.paying),
    ...notices(context, checkout),
    ...amountNotice(context, quote),
    ...paidSoFar(context, checkout),
    ...partNotice(context, quote),
    markup`<div class="pay"><dl>
<div><dt>${labels.network}</dt><dd translate="no"><b>${networkName}</b> <span class="small">${standard}</span></dd></div>
<div><dt>${labels.amount}</dt><dd class="amount"><bdi dir="ltr" translate="no"><b data-part="amount">${amount}</b> ${symbol}</bdi></dd>
<dd class="small">${translation.plusFees}</dd></div>
<div><dt>${labels.address}</dt><dd><code data-part="address" dir="ltr" translate="no">${address}</code></dd></div>
<div><dt>${labels.value}</dt><dd>${money(context, covers)}</dd></div>
</dl>
<figure>${qrSvg(address, description)}
<figcaption translate="no">${networkName} <span class="small">${standard}</span></figcaption></figure></div>`,
    markup`<p class="warning">${warnings.filter(Boolean).join(' ')}</p>`,
    markup`<p>${translation.watching}</p>
<p class="small">${quote.confirmationTime && translation.confirmationTime[quote.confirmationTime]}</p>`,
    renewal(context, checkout, quote),
    support(context, checkout),
  ]
}

/** Compares the amount with the one that the customer saw: it must not change silently. */
function amountNotice(context: PlainContext, {amount, symbol}: Quote): Markup[] {
  const {translation, query} = context
  const before = query.shown?.amount ?? amount
  if (before === amount && !query.isRenewed) return []
  const text =
    before === amount
      ? translation.amountUnchanged
      : interpolate(translation.amountChanged, {before, now: amount, symbol})
  return [markup`<p class="notice" role="status">${text}</p>`]
}

/** Says that more is due than this quote covers. */
function partNotice(context: PlainContext, {covers, due}: DisplayedQuote): Markup[] {
  if (covers.amount === due.amount) return []
  return [markup`<p>${partOf(context, covers, due)}</p>`]
}

function partOf(context: PlainContext, part: Money, due: Money): string {
  const values = {part: moneyText(context, part), due: moneyText(context, due)}
  return interpolate(context.translation.partOf, values)
}

/** Offers a new amount when the price may have changed, and the way back to the list. */
function renewal({translation}: PlainContext, {serverTime}: Checkout, quote: Quote): Markup {
  const {amount, refreshAfter} = quote
  const back = markup`<a class="button" href="?choose">${translation.back}</a>`
  if (Date.parse(serverTime) < Date.parse(refreshAfter)) return markup`<p>${back}</p>`
  return markup`<form class="notice" method="post" action="?">
<p>${translation.priceMayHaveChanged}</p>
<input type="hidden" name="before" value="${amount}">
<p>${choice(quote, markup`${translation.renew}`, 'button')}</p>
</form>
<p>${back}</p>`
}

function confirming(context: PlainContext, checkout: Checkout): Views {
  const {translation} = context
  return [
    heading(translation.status.confirming),
    markup`<p>${translation.confirmingHint}</p>`,
    ...notices(context, checkout),
    payments(context, checkout),
    returnLink(context, checkout),
    support(context, checkout),
  ]
}

/** Shows no crypto amount before the customer asks for one. */
function underpaid(context: PlainContext, checkout: Checkout): Views {
  const {translation} = context
  const {payable, acceptsPartial} = checkout
  const pair = pairForRemaining(checkout, checkout.quote)
  const payRest = pair
    ? markup`<form method="post" action="?">${choice(pair, markup`${translation.payRemaining}`, 'primary')}</form>`
    : markup`<p><a class="button" href="?choose">${translation.payRemaining}</a></p>`
  return [
    heading(translation.status.underpaid),
    markup`<p>${payable ? (acceptsPartial ? translation.partReceived : translation.underpaidHint) : translation.remainingTooLate}</p>`,
    ...notices(context, checkout),
    ...paidSoFar(context, checkout),
    ...(payable ? [payRest, markup`<p><a class="button" href="?choose">${translation.back}</a></p>`] : []),
    payments(context, checkout),
    support(context, checkout),
  ]
}

function paid(context: PlainContext, checkout: Checkout): Views {
  const {translation, tag} = context
  const {description, reference, price, vat, country, chargeId} = checkout
  const difference = Number(checkout.paid.amount) - Number(price.amount)
  const thanks =
    difference < 0
      ? translation.settledHint
      : difference > 0 && checkout.status === 'overpaid'
        ? interpolate(translation.overpaidHint, {difference: moneyText(context, excess(checkout))})
        : translation.paidHint
  const rows: readonly (readonly [string, string | Markup | undefined])[] = [
    [translation.description, description],
    [translation.reference, reference],
    [translation.price, money(context, price)],
    [translation.vat, vat],
    [translation.country, country && new Intl.DisplayNames(locales(tag), {type: 'region'}).of(country)],
    [translation.received, Number(checkout.paid.amount) > 0 ? money(context, checkout.paid) : undefined],
    [translation.chargeId, data(chargeId)],
  ]
  return [
    markup`<h2 class="done">${translation.status.paid}</h2>`,
    markup`<p>${thanks}</p>`,
    returnLink(context, checkout),
    markup`<section aria-label="${translation.receipt}">${details(rows)}${payments(context, checkout)}</section>`,
  ]
}

function closed(context: PlainContext, checkout: Checkout, phase: 'expired' | 'cancelled'): Views {
  const {translation} = context
  const advice = checkout.replacedBy ? translation.replaced : translation.doNotSend
  return [
    heading(translation.status[phase]),
    markup`<p>${advice} ${translation.sentHint}</p>`,
    ...notices(context, checkout),
    payments(context, checkout),
    returnLink(context, checkout),
    support(context, checkout),
  ]
}

/** Of a request that failed, of data that may be old, and of payments that did not arrive. */
function notices(context: PlainContext, {stale, payments, payable}: Checkout): Markup[] {
  const {translation, query} = context
  const notice = (...texts: readonly string[]) =>
    markup`<div class="notice" role="alert">${texts.map(text => markup`<p>${text}</p>`)}</div>`
  return [
    ...(query.problem
      ? [markup`<div class="notice" role="alert">${problemTexts(context, query.problem)}</div>`]
      : []),
    ...(stale ? [notice(translation.problems.unreachable, translation.keepsTrying)] : []),
    ...(payments.some(({dropped}) => dropped)
      ? [notice(translation.paymentDropped, ...(payable ? [translation.payAgain] : []))]
      : []),
  ]
}

function paidSoFar(context: PlainContext, {status, paid, due}: Checkout): Markup[] {
  const {translation} = context
  if (status !== 'underpaid') return []
  return [
    details([
      [translation.received, money(context, paid)],
      [translation.stillDue, markup`<strong>${money(context, due)}</strong>`],
    ]),
  ]
}

function payments(context: PlainContext, checkout: Checkout): Markup {
  const {translation, tag} = context
  if (checkout.payments.length === 0) return markup``
  const payment = (each: ObservedPayment) => {
    const {amount, currency, confirmed, dropped, local, at, transactionId, url} = each
    const state = dropped ? translation.dropped : confirmed ? translation.confirmed : translation.unconfirmed
    const id = data(transactionId)
    return markup`<li><p><b><bdi>${amount} ${currency}</bdi></b> · ${state}</p>
<p class="small">${money(context, local)} · <bdi>${networkName(checkout, each)}</bdi> · ${dateText(tag, at)}</p>
<p class="small">${translation.transaction} ${url?.startsWith('https://') ? markup`<a href="${url}" rel="noopener noreferrer">${id}</a>` : id}</p></li>`
  }
  return markup`<ul class="payments" aria-label="${translation.payments}">${checkout.payments.map(payment)}</ul>`
}

/** The common name of the payment's network, or its id if the checkout does not list it. */
function networkName({assets}: Checkout, {network}: ObservedPayment): string {
  return assets.flatMap(asset => asset.networks).find(({id}) => id === network)?.name ?? network
}

function returnLink({translation}: PlainContext, {redirectUrl}: Checkout): Markup {
  return redirectUrl === undefined
    ? markup``
    : markup`<p><a class="button primary" href="${redirectUrl}">${translation.continueToShop}</a></p>`
}

function support(context: PlainContext, checkout: Checkout): Markup {
  return markup`<div class="support"><p class="small">${context.translation.help}</p>${references(context, checkout)}</div>`
}

function references(
  {translation}: PlainContext,
  {reference, chargeId}: Pick<Checkout, 'reference' | 'chargeId'>,
): Markup {
  const line = (label: string, text: string) =>
    markup`<p class="small">${label}${translation.colon}${data(text)}</p>`
  return markup`${reference === undefined ? undefined : line(translation.reference, reference)}${line(translation.chargeId, chargeId)}`
}

function details(rows: readonly (readonly [string, string | Markup | undefined])[]): Markup {
  const shown = rows.filter(([, value]) => value)
  return markup`<dl class="details">${shown.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

function heading(text: string): Markup {
  return markup`<h2>${text}</h2>`
}

function data(text: string): Markup {
  return markup`<span class="data" dir="ltr" translate="no">${text}</span>`
}

/** Left-to-right like every amount, because Arabic text would otherwise reorder `US$`. */
function money(context: PlainContext, amount: Money): Markup {
  return markup`<bdi dir="ltr" translate="no">${moneyText(context, amount)}</bdi>`
}

function moneyText({tag}: PlainContext, amount: Money): string {
  return formatMoney(amount, locales(tag))
}

function dateText(tag: string, at: string): string {
  const format = {dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC'} as const
  return `${new Intl.DateTimeFormat(locales(tag), format).format(new Date(at))} UTC`
}

/** For `Intl`, with English for languages that it does not know. */
function locales(tag: string): string[] {
  return [tag, 'en']
}
