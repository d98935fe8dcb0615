/**
 * All assets, and the networks of the expanded one. The list also stays while a quote is requested, because the customer
 * may choose again.
 */
import {html, nothing, svg, type TemplateResult} from 'lit'
import {guard} from 'lit/directives/guard.js'
import {ifDefined} from 'lit/directives/if-defined.js'
import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import {availableNetworks, onlyPair, pairKey} from '../../core/choice.js'
import {findRememberedPair, isBitcoin} from '../../core/listing.js'
import {parseTypedPart} from '../../core/part.js'
import type {ViewState} from '../../core/phase.js'
import {interpolate, pluralize} from '../../translations/format.js'
import {paidSoFar} from '../views/amounts.js'
import {logo, type DrawLogos} from '../logos/draw-logos.js'
import type {Renderable, ViewContext} from '../views/context.js'
import {icon} from '../views/icon.js'
import {partForm} from './part.js'
import {droppedNotice, heading, notice, staleNotice} from '../views/notices.js'
import {sendAgainButton, sentGroup} from '../views/sent.js'
import {SEARCH_THRESHOLD} from '../views/skeleton.js'
import {openLocks} from '../locks/lock.js'
import {isComposing, type RovingFocus} from './roving-focus.js'

export type AssetPickerViewState = Extract<ViewState, {phase: 'choosing' | 'quoting'}>

export interface AssetPickerProps {
  /** The text in the search field. */
  readonly query: string
  /** The pair last used in this browser, as a `pairKey`. */
  readonly lastPair: string | null
  /** Offers no earlier pair. */
  readonly forget: boolean
  /** Null without logos, and before the icons have loaded. */
  readonly draw: DrawLogos | null
  readonly focus: Pick<RovingFocus, 'onClick' | 'onFocusin' | 'onKeydown' | 'onKeyup'>
  /** How many to draw: at first only those that are in view, so that the list appears sooner. */
  readonly rows: number
  /** The same list for the same arguments. */
  results(assets: readonly AssetOption[], query: string): readonly AssetOption[]
  search(text: string, assets: readonly AssetOption[], context: ViewContext): void
  /** Moves the focus to the field of the part, which is not an amount that can be paid. */
  askForPart(): void
  /** Moves the focus to the assets, of which one is chosen next. */
  leavePart(): void
}

/** Of a longer list, the customer searches the rest. */
const MAX_ROWS = 300

const searchIcon = svg`<path d="m13 13 4 4M14.5 8.75a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0Z" />`
const chevronRight = svg`<path d="m7.5 5 5 5-5 5" />`
const chevronDown = svg`<path d="m5 7.5 5 5 5-5" />`
const spinner = svg`<path d="M10 3a7 7 0 1 1-7 7" />`

export function assetPickerView(
  base: ViewContext,
  viewState: AssetPickerViewState,
  props: AssetPickerProps,
): TemplateResult {
  const {checkout, problem, earlier} = viewState
  const part = viewState.phase === 'choosing' ? viewState.part : (viewState.pair.part ?? null)
  const isValid = part === null || parseTypedPart(part, checkout) !== null
  const context = isValid ? base : {...base, requestQuote: () => props.askForPart()}
  const {translation, requestQuote, back} = context
  const {assets} = checkout
  const locks = openLocks(checkout)
  const isLong = assets.length > SEARCH_THRESHOLD
  const query = isLong ? props.query : ''
  const results = props.results(assets, query)
  const refused = viewState.phase === 'choosing' ? viewState.refused : null
  return html`
    ${heading(translation.status[viewState.phase])} ${paidSoFar(context, checkout)}
    ${
      refused
        ? notice(
            context,
            refused.problem,
            html`<button
              part="retry"
              name="pair"
              value=${pairKey(refused.pair)}
              @click=${() => requestQuote(refused.pair)}
            >
              ${translation.retry}
            </button>`,
          )
        : staleNotice(context, checkout, problem)
    }
    ${droppedNotice(context, checkout)}
    ${locks.length > 0 ? html`${sentGroup(context, checkout, locks)} ${sendAgainButton(context)}` : nothing}
    ${earlier && locks.length === 0 ? html`<p part="notice" class="notice">${translation.sentHint}</p>` : nothing}
    ${partForm(context, checkout, part, isValid, () => (isValid && part ? props.leavePart() : props.askForPart()))}
    ${query ? nothing : lastUsedControl(context, viewState, props)}
    ${isLong && !context.isForm ? searchField(context, assets, props) : nothing}
    ${isBitcoin(query) ? html`<p part="notice" class="notice">${translation.noBitcoin}</p>` : nothing}
    <ul
      part="assets"
      role="list"
      class="rows ${isLong ? 'long' : ''}"
      aria-label=${translation.assets}
      @click=${props.focus.onClick}
      @keydown=${props.focus.onKeydown}
      @keyup=${props.focus.onKeyup}
      @focusin=${props.focus.onFocusin}
    >
      ${rows(context, viewState, props, results, isValid)}
    </ul>
    ${
      viewState.phase === 'quoting'
        ? html`<button part="back" class="secondary" type="button" @click=${back}>
            ${translation.back}
          </button>`
        : nothing
    }
  `
}

/** Made anew when something in it has changed, not with each second of the countdown. */
function rows(
  context: ViewContext,
  viewState: AssetPickerViewState,
  props: AssetPickerProps,
  results: readonly AssetOption[],
  isValid: boolean,
): unknown {
  const {translation, locale} = context
  const chosen = viewState.phase === 'choosing' ? viewState.asset : viewState.pair
  const {assets} = viewState.checkout
  const nothingFound = assets.length === 0 ? translation.noAssets : translation.nothingFound
  const drawn = results.slice(0, Math.min(props.rows, MAX_ROWS))
  const dependencies = [results, drawn.length, viewState.phase, chosen, props.draw, translation, isValid]
  return guard(
    dependencies,
    () =>
      html`${drawn.map(asset => html`<li>${assetControl(context, asset, viewState, props)}</li>`)}
      ${
        results.length === 0
          ? html`<li class="no-results small">${nothingFound}</li>`
          : results.length > MAX_ROWS
            ? html`<li class="no-results small">${pluralize(translation.found, results.length, locale)}</li>`
            : nothing
      }`,
  )
}

function searchField(
  context: ViewContext,
  assets: readonly AssetOption[],
  props: AssetPickerProps,
): TemplateResult {
  const {translation} = context
  return html`<label class="search"
    >${icon(searchIcon)}
    <input
      part="search"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${translation.search}
      placeholder=${translation.search}
      .value=${props.query}
      @input=${({currentTarget: field}: Event) => {
        if (field instanceof HTMLInputElement) props.search(field.value, assets, context)
      }}
      @keydown=${(event: KeyboardEvent) => {
        const {key, currentTarget: field} = event
        if (isComposing(event) || !(field instanceof HTMLInputElement)) return
        const found = field.parentElement?.parentElement?.querySelectorAll<HTMLElement>('[part=asset]') ?? []
        // Escape clears the field. In an empty field it closes the dialog.
        if (key === 'Escape' && field.value) props.search((field.value = ''), assets, context)
        else if (key === 'ArrowDown') found[0]?.focus()
        else if (key === 'Enter' && found.length === 1) found[0]?.click()
        else return
        event.preventDefault()
      }}
    />
  </label>`
}

/** Requests a quote for the last used pair in one click: the last one of this page, else of this browser. */
function lastUsedControl(
  context: ViewContext,
  {earlier, checkout}: AssetPickerViewState,
  props: AssetPickerProps,
): Renderable {
  const found = findRememberedPair(checkout.assets, earlier ? pairKey(earlier) : props.lastPair)
  if (!found || props.forget || checkout.assets.length < 2) return nothing
  const {asset, network} = found
  return html`<div class="rows">
    <button
      part="last-used"
      class="option"
      type="button"
      @click=${() => context.requestQuote({asset: asset.id, network: network.id})}
    >
      ${logo(asset.symbol, props.draw?.asset(asset, network))}
      <span class="name"><b>${asset.symbol}</b> <span class="small">${networkLabel(network)}</span></span>
      <span class="hint small">${context.translation.lastUsed}</span>
      ${icon(chevronRight)}
    </button>
  </div>`
}

function assetControl(
  context: ViewContext,
  asset: AssetOption,
  viewState: AssetPickerViewState,
  props: AssetPickerProps,
): TemplateResult {
  const {translation, locale, requestQuote, expandAsset} = context
  const {id, symbol, name, networks} = asset
  const only = onlyPair(asset)
  const [first] = availableNetworks(asset)
  const isRequested = viewState.phase === 'quoting' && viewState.pair.asset === id
  const isExpanded =
    !only &&
    !!first &&
    (isRequested ||
      viewState.checkout.assets.length === 1 ||
      (viewState.phase === 'choosing' && viewState.asset === id))
  const hint = !first
    ? translation.notNow
    : !only
      ? html`${networks.map(({id: network}) => {
            const badge = props.draw?.network(network) ?? nothing
            return badge === nothing ? badge : html`<span class="logo" aria-hidden="true">${badge}</span>`
          })} <span>${pluralize(translation.networkCount, networks.length, locale)}</span>`
      : isRequested
        ? translation.gettingAmount
        : first.name === name && !first.standard
          ? nothing
          : networkLabel(first)
  const question = interpolate(translation.chooseNetwork, {symbol})
  return html`<button
      part="asset"
      class="option ${isRequested ? 'requested' : ''}"
      type=${first ? 'submit' : 'button'}
      name=${only ? 'pair' : 'asset'}
      value=${only ? pairKey(only) : id}
      data-asset=${id}
      aria-disabled=${ifDefined(first ? undefined : 'true')}
      aria-expanded=${ifDefined(only || !first ? undefined : isExpanded)}
      @click=${() => {
        if (only) requestQuote(only)
        else if (first) expandAsset(isExpanded ? null : id)
      }}
    >
      ${logo(symbol, props.draw?.asset(asset, only ? first : undefined))}
      <span class="name"
        ><b>${symbol}</b>
        ${name === symbol ? nothing : html`<span class="small">${name}</span>`}${only && first ? traits(context, asset, first) : nothing}</span
      >
      <span class="hint small">${hint}</span>
      ${!first ? nothing : icon(!only ? chevronDown : isRequested ? spinner : chevronRight)}
    </button>
    ${
      isExpanded
        ? html`<div
            class="nested"
            @animationend=${({currentTarget}: Event) => {
              if (currentTarget instanceof Element)
                currentTarget.parentElement?.scrollIntoView?.({block: 'nearest'})
            }}
          >
            <div>
              <p class="small">${question}</p>
              <ul part="networks" role="list" aria-label=${question}>
                ${networks.map(network => html`<li>${networkControl(context, asset, network, viewState, props)}</li>`)}
              </ul>
            </div>
          </div>`
        : nothing
    }`
}

function networkControl(
  context: ViewContext,
  asset: AssetOption,
  network: NetworkOption,
  viewState: AssetPickerViewState,
  {draw}: AssetPickerProps,
): TemplateResult {
  const {translation, requestQuote} = context
  const {id, name, standard, confirmationTime, disabled} = network
  const pair = {asset: asset.id, network: id}
  const isRequested = viewState.phase === 'quoting' && pairKey(viewState.pair) === pairKey(pair)
  const hint = disabled
    ? translation.notNow
    : isRequested
      ? translation.gettingAmount
      : confirmationTime && translation.confirmationTime[confirmationTime]
  return html`<button
    part="network"
    class="option ${isRequested ? 'requested' : ''}"
    type=${disabled ? 'button' : 'submit'}
    name="pair"
    value=${pairKey(pair)}
    data-network=${id}
    aria-disabled=${ifDefined(disabled ? 'true' : undefined)}
    @click=${() => {
      if (!disabled) requestQuote(pair)
    }}
  >
    ${logo(name, draw?.network(id))}
    <span class="name"
      ><b>${name}</b> <span class="small standard">${standard}</span>${traits(context, asset, network)}
      <span class="small">${hint}</span></span
    >
    ${disabled ? nothing : icon(isRequested ? spinner : chevronRight)}
  </button>`
}

/** Such as "BNB Smart Chain, BEP-20". Native coins have no standard. */
function networkLabel({name, standard}: NetworkOption): TemplateResult {
  return html`${name}${standard ? html`, <span class="standard">${standard}</span>` : nothing}`
}

function traits(
  {translation}: ViewContext,
  {symbol}: AssetOption,
  {pegged, legacy}: NetworkOption,
): Renderable {
  const texts = [pegged && interpolate(translation.pegged, {symbol}), legacy && translation.legacy].filter(
    Boolean,
  )
  return texts.length > 0 ? html` <span class="trait">${texts.join(' · ')}</span>` : nothing
}
