/**
 * Every asset, and under the one that was opened its networks. The whole list stays while a quote is under way, since
 * the customer may choose otherwise at any moment.
 */
import {html, nothing, svg, type TemplateResult} from 'lit'
import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import {pairKey, onlyPair, availableNetworks} from '../../core/choice.js'
import {findRememberedPair, search, sorted} from '../../core/listing.js'
import {pluralize, interpolate} from '../i18n/format.js'
import {SEARCH_THRESHOLD} from '../views/skeleton.js'
import {icon} from '../views/icon.js'
import {
  heading,
  isHttps,
  notice,
  paidSoFar,
  staleNotice,
  type Renderable,
  type ViewContext,
} from '../views/context.js'
import type {AssetPicker, AssetPickerViewState} from './asset-picker.js'

const TINTS = 6

const searchIcon = svg`<path d="m13 13 4 4M14.5 8.75a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0Z" />`
const chevronRight = svg`<path d="m7.5 5 5 5-5 5" />`
const chevronDown = svg`<path d="m5 7.5 5 5 5-5" />`
const spinner = svg`<path d="M10 3a7 7 0 1 1-7 7" />`

export function assetPickerView(
  view: ViewContext,
  scene: AssetPickerViewState,
  list: AssetPicker,
): TemplateResult {
  const {translation, requestQuote, back} = view
  const {checkout, problem, earlier} = scene
  const {assets} = checkout
  const isLong = assets.length > SEARCH_THRESHOLD
  const text = isLong ? list.query : ''
  const listed = search(sorted(assets), text)
  const refused = scene.phase === 'choosing' ? scene.refused : null
  return html`
    ${heading(translation.status[scene.phase])} ${paidSoFar(view, checkout)}
    ${
      refused
        ? notice(
            view,
            refused.problem,
            html`<button part="retry" type="button" @click=${() => requestQuote(refused.pair)}>
              ${translation.retry}
            </button>`,
          )
        : staleNotice(view, checkout, problem)
    }
    ${earlier ? html`<p part="notice" class="notice">${translation.earlierWorks}</p>` : nothing}
    ${isLong ? searchField(view, assets, list) : nothing}
    <ul
      part="assets"
      role="list"
      class="rows ${isLong ? 'long' : ''}"
      aria-label=${translation.assets}
      @keydown=${list.focus.onKeydown}
      @keyup=${list.focus.onKeyup}
      @focusin=${list.focus.onFocusin}
    >
      ${text ? nothing : lastControl(view, scene, list)}
      ${listed.map(asset => html`<li>${assetControl(view, asset, scene, list)}</li>`)}
      ${listed.length > 0 ? nothing : html`<li class="none small">${translation.nothingFound}</li>`}
    </ul>
    ${
      scene.phase === 'quoting'
        ? html`<button part="back" class="secondary" type="button" @click=${back}>
            ${translation.back}
          </button>`
        : nothing
    }
  `
}

function searchField(view: ViewContext, assets: readonly AssetOption[], list: AssetPicker): TemplateResult {
  const {translation} = view
  const look = (text: string) => list.search(text, assets, view)
  return html`<label class="search"
    >${icon(searchIcon)}
    <input
      part="search"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${translation.search}
      placeholder=${translation.search}
      .value=${list.query}
      @input=${({currentTarget: field}: Event) => {
        if (field instanceof HTMLInputElement) look(field.value)
      }}
      @keydown=${(event: KeyboardEvent) => {
        const {key, currentTarget: field} = event
        if (!(field instanceof HTMLInputElement)) return
        // Escape clears; in an empty field it closes the dialog, as everywhere.
        if (key === 'Escape' && field.value) look((field.value = ''))
        else if (key === 'ArrowDown')
          field.parentElement?.parentElement?.querySelector<HTMLElement>('[part=assets] button')?.focus()
        else return
        event.preventDefault()
      }}
    />
  </label>`
}

/** What the customer chose last, in one click: on this page, or else in this browser. */
function lastControl(view: ViewContext, scene: AssetPickerViewState, list: AssetPicker): Renderable {
  const {earlier, checkout} = scene
  const choice = findRememberedPair(checkout.assets, earlier ? pairKey(earlier) : list.lastPair)
  if (!choice || checkout.assets.length < 2) return nothing
  const {asset, network} = choice
  return html`<li>
    <button
      part="last-used"
      class="option"
      type="button"
      @click=${() => view.requestQuote({asset: asset.id, network: network.id})}
    >
      ${logo(asset, list)}
      <span class="name"><b>${asset.symbol}</b> <span class="small">${networkLabel(network)}</span></span>
      <span class="hint small">${view.translation.lastUsed}</span>
      ${icon(chevronRight)}
    </button>
  </li>`
}

function assetControl(
  view: ViewContext,
  asset: AssetOption,
  scene: AssetPickerViewState,
  list: AssetPicker,
): TemplateResult {
  const {translation, locale, requestQuote, expandAsset: look} = view
  const {id, symbol, name, networks} = asset
  const pair = scene.phase === 'quoting' ? scene.pair : null
  const only = onlyPair(asset)
  const [first] = availableNetworks(asset)
  const isAsked = pair?.asset === id
  const isOpen =
    !only &&
    !!first &&
    (isAsked || scene.checkout.assets.length === 1 || (scene.phase === 'choosing' && scene.asset === id))
  const hint = !first
    ? translation.notNow
    : !only
      ? pluralize(translation.networkCount, networks.length, locale)
      : isAsked
        ? translation.gettingAmount
        : networkLabel(first)
  const question = interpolate(translation.chooseNetwork, {symbol})
  return html`<button
      part="asset"
      class="option ${isAsked ? 'asked' : ''}"
      type="button"
      tabindex="-1"
      data-asset=${id}
      .ariaDisabled=${first ? null : 'true'}
      .ariaExpanded=${only || !first ? null : `${isOpen}`}
      @click=${() => {
        if (only) requestQuote(only)
        else if (first) look(isOpen ? null : id)
      }}
    >
      ${logo(asset, list)}
      <span class="name"
        ><b>${symbol}</b>
        <span class="small">${name}</span>${only && first ? warning(view, first) : nothing}</span
      >
      <span class="hint small">${hint}</span>
      ${!first ? nothing : icon(!only ? chevronDown : isAsked ? spinner : chevronRight)}
    </button>
    ${
      isOpen
        ? html`<div
            class="nested"
            @animationend=${({currentTarget: networks}: Event) => {
              if (networks instanceof Element) networks.parentElement?.scrollIntoView({block: 'nearest'})
            }}
          >
            <div>
              <p class="small">${question}</p>
              <ul part="networks" role="list" aria-label=${question}>
                ${networks.map(network => html`<li>${networkControl(view, asset, network, scene)}</li>`)}
              </ul>
            </div>
          </div>`
        : nothing
    }`
}

function networkControl(
  view: ViewContext,
  {id: asset}: AssetOption,
  network: NetworkOption,
  scene: AssetPickerViewState,
): TemplateResult {
  const {translation, requestQuote} = view
  const {id, name, standard, confirmationTime: confirmationTime, disabled} = network
  const isAsked = scene.phase === 'quoting' && pairKey(scene.pair) === pairKey({asset, network: id})
  const hint = disabled
    ? translation.notNow
    : isAsked
      ? translation.gettingAmount
      : confirmationTime && translation.confirmationTime[confirmationTime]
  return html`<button
    part="network"
    class="option ${isAsked ? 'asked' : ''}"
    type="button"
    tabindex="-1"
    data-network=${id}
    .ariaDisabled=${disabled ? 'true' : null}
    @click=${() => {
      if (!disabled) requestQuote({asset, network: id})
    }}
  >
    <span class="name"
      ><b>${name}</b> <span class="small standard">${standard}</span>${warning(view, network)}</span
    >
    <span class="hint small">${hint}</span>
    ${disabled ? nothing : icon(isAsked ? spinner : chevronRight)}
  </button>`
}

/** "BNB Smart Chain, BEP-20": tokens name their standard, native coins do not. */
function networkLabel({name, standard}: NetworkOption): TemplateResult {
  return html`${name}${standard ? html`, <span class="standard">${standard}</span>` : nothing}`
}

function warning({translation}: ViewContext, {pegged, legacy}: NetworkOption): Renderable {
  const traits = [pegged && translation.pegged, legacy && translation.legacy].filter(Boolean)
  return traits.length > 0 ? html` <span class="trait">${traits.join(' · ')}</span>` : nothing
}

/** The monogram lies beneath, so that there is something to see before, or instead of, the picture. */
function logo({symbol, logo: address}: AssetOption, list: AssetPicker): TemplateResult {
  const letters = [...symbol]
  const tint = letters.reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 0) % TINTS
  return html`<span class="logo t${tint}" aria-hidden="true"
    >${letters[0]}${
      list.hasLogos && address && isHttps(address)
        ? html`<img
            class=${list.loadedLogos.has(address) ? 'loaded' : ''}
            src=${address}
            alt=""
            loading="lazy"
            referrerpolicy="no-referrer"
            @load=${() => list.logoLoaded(address)}
          />`
        : nothing
    }</span
  >`
}
