/**
 * Every asset, and under the one that was opened its networks. The whole list stays while a quote is under way, since
 * the customer may choose otherwise at any moment.
 */
import {html, nothing, svg, type TemplateResult} from 'lit'
import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import {keyOf, onlyPair, openNetworks} from '../../core/choice.js'
import {recalled, search, sorted} from '../../core/listing.js'
import {counted, fill} from '../words/fill.js'
import {FEW} from '../views/soon.js'
import {icon} from '../views/icon.js'
import {heading, isHttps, notice, partlyPaid, staleLine, type Html, type View} from '../views/view.js'
import type {List, ListScene} from './list.js'

const TINTS = 6

const lens = svg`<path d="m13 13 4 4M14.5 8.75a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0Z" />`
const on = svg`<path d="m7.5 5 5 5-5 5" />`
const down = svg`<path d="m5 7.5 5 5 5-5" />`
const wait = svg`<path d="M10 3a7 7 0 1 1-7 7" />`

export function choosing(view: View, scene: ListScene, list: List): TemplateResult {
  const {words, ask, back} = view
  const {checkout, problem, earlier} = scene
  const {assets} = checkout
  const isLong = assets.length > FEW
  const text = isLong ? list.searched : ''
  const listed = search(sorted(assets), text)
  const refused = scene.phase === 'choosing' ? scene.refused : null
  return html`
    ${heading(words.status[scene.phase])} ${partlyPaid(view, checkout)}
    ${
      refused
        ? notice(
            view,
            refused.problem,
            html`<button part="retry" type="button" @click=${() => ask(refused.pair)}>
              ${words.retry}
            </button>`,
          )
        : staleLine(view, checkout, problem)
    }
    ${earlier ? html`<p part="notice" class="notice">${words.earlierWorks}</p>` : nothing}
    ${isLong ? searchField(view, assets, list) : nothing}
    <ul
      part="assets"
      role="list"
      class="rows ${isLong ? 'long' : ''}"
      aria-label=${words.assets}
      @keydown=${list.keys.pressed}
      @keyup=${list.keys.released}
      @focusin=${list.keys.focused}
    >
      ${text ? nothing : lastControl(view, scene, list)}
      ${listed.map(asset => html`<li>${assetControl(view, asset, scene, list)}</li>`)}
      ${listed.length > 0 ? nothing : html`<li class="none fine">${words.nothingFound}</li>`}
    </ul>
    ${
      scene.phase === 'quoting'
        ? html`<button part="back" class="quiet" type="button" @click=${back}>${words.back}</button>`
        : nothing
    }
  `
}

function searchField(view: View, assets: readonly AssetOption[], list: List): TemplateResult {
  const {words} = view
  const look = (text: string) => list.search(text, assets, view)
  return html`<label class="search"
    >${icon(lens)}
    <input
      part="search"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${words.search}
      placeholder=${words.search}
      .value=${list.searched}
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
function lastControl(view: View, scene: ListScene, list: List): Html {
  const {earlier, checkout} = scene
  const choice = recalled(checkout.assets, earlier ? keyOf(earlier) : list.last)
  if (!choice || checkout.assets.length < 2) return nothing
  const {asset, network} = choice
  return html`<li>
    <button
      part="last"
      class="choice"
      type="button"
      @click=${() => view.ask({asset: asset.id, network: network.id})}
    >
      ${logo(asset, list)}
      <span class="name"><b>${asset.symbol}</b> <span class="fine">${named(network)}</span></span>
      <span class="hint fine">${view.words.lastUsed}</span>
      ${icon(on)}
    </button>
  </li>`
}

function assetControl(view: View, asset: AssetOption, scene: ListScene, list: List): TemplateResult {
  const {words, locale, ask, look} = view
  const {id, symbol, name, networks} = asset
  const pair = scene.phase === 'quoting' ? scene.pair : null
  const only = onlyPair(asset)
  const [first] = openNetworks(asset)
  const isAsked = pair?.asset === id
  const isOpen =
    !only &&
    !!first &&
    (isAsked || scene.checkout.assets.length === 1 || (scene.phase === 'choosing' && scene.asset === id))
  const hint = !first
    ? words.notNow
    : !only
      ? counted(words.networkCount, networks.length, locale)
      : isAsked
        ? words.gettingAmount
        : named(first)
  const question = fill(words.chooseNetwork, {symbol})
  return html`<button
      part="asset"
      class="choice ${isAsked ? 'asked' : ''}"
      type="button"
      tabindex="-1"
      data-asset=${id}
      .ariaDisabled=${first ? null : 'true'}
      .ariaExpanded=${only || !first ? null : `${isOpen}`}
      @click=${() => {
        if (only) ask(only)
        else if (first) look(isOpen ? null : id)
      }}
    >
      ${logo(asset, list)}
      <span class="name"
        ><b>${symbol}</b>
        <span class="fine">${name}</span>${only && first ? warning(view, first) : nothing}</span
      >
      <span class="hint fine">${hint}</span>
      ${!first ? nothing : icon(!only ? down : isAsked ? wait : on)}
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
              <p class="fine">${question}</p>
              <ul part="networks" role="list" aria-label=${question}>
                ${networks.map(network => html`<li>${networkControl(view, asset, network, scene)}</li>`)}
              </ul>
            </div>
          </div>`
        : nothing
    }`
}

function networkControl(
  view: View,
  {id: asset}: AssetOption,
  network: NetworkOption,
  scene: ListScene,
): TemplateResult {
  const {words, ask} = view
  const {id, name, standard, settles, disabled} = network
  const isAsked = scene.phase === 'quoting' && keyOf(scene.pair) === keyOf({asset, network: id})
  const hint = disabled ? words.notNow : isAsked ? words.gettingAmount : settles && words.settles[settles]
  return html`<button
    part="network"
    class="choice ${isAsked ? 'asked' : ''}"
    type="button"
    tabindex="-1"
    data-network=${id}
    .ariaDisabled=${disabled ? 'true' : null}
    @click=${() => {
      if (!disabled) ask({asset, network: id})
    }}
  >
    <span class="name"
      ><b>${name}</b> <span class="fine standard">${standard}</span>${warning(view, network)}</span
    >
    <span class="hint fine">${hint}</span>
    ${disabled ? nothing : icon(isAsked ? wait : on)}
  </button>`
}

/** "BNB Smart Chain, BEP-20": tokens name their standard, native coins do not. */
function named({name, standard}: NetworkOption): TemplateResult {
  return html`${name}${standard ? html`, <span class="standard">${standard}</span>` : nothing}`
}

function warning({words}: View, {pegged, legacy}: NetworkOption): Html {
  const traits = [pegged && words.pegged, legacy && words.legacy].filter(Boolean)
  return traits.length > 0 ? html` <span class="trait">${traits.join(' · ')}</span>` : nothing
}

/** The monogram lies beneath, so that there is something to see before, or instead of, the picture. */
function logo({symbol, logo: address}: AssetOption, list: List): TemplateResult {
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
