/**
 * Every asset, and under the one that was opened its networks. The whole list stays while a quote is under way, since
 * the customer may choose otherwise at any moment.
 */
import {html, nothing, type TemplateResult} from 'lit'
import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import type {Pair} from '../../core/advance.js'
import {onlyPair, openNetworks, search, sorted} from '../../core/choice.js'
import type {Scene} from '../../core/phase.js'
import {heading, isHttps, notice, partlyPaid, staleLine, type View} from './view.js'

export interface ChoosingView extends View {
  /** What was typed into the search field. */
  readonly searched: string
  search(text: string): void
  /** Whether logos may be fetched, and which could not be. */
  readonly logos: boolean
  readonly brokenLogos: ReadonlySet<string>
  logoBroke(address: string): void
}

/** With more assets than these, one looks for one's own. */
const FEW = 8

export function choosing(
  view: ChoosingView,
  scene: Extract<Scene, {phase: 'choosing' | 'quoting'}>,
): TemplateResult {
  const {words, searched, ask, back} = view
  const {checkout, problem} = scene
  const {assets} = checkout
  const isLong = assets.length > FEW
  const listed = sorted(isLong ? search(assets, searched) : assets)
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
    ${
      isLong
        ? html`<label class="search fine"
            >${words.search}
            <input
              part="search"
              type="search"
              autocomplete="off"
              .value=${searched}
              @input=${(event: Event) => {
                if (event.target instanceof HTMLInputElement) view.search(event.target.value)
              }}
            />
          </label>`
        : nothing
    }
    ${listed.length > 0 ? nothing : html`<p class="fine">${words.found(0)}</p>`}
    <ul part="assets" role="list" aria-label=${words.assets}>
      ${listed.map(asset => html`<li>${assetControl(view, asset, scene)}</li>`)}
    </ul>
    ${
      scene.phase === 'quoting'
        ? html`<button part="back" class="quiet" type="button" @click=${back}>${words.back}</button>`
        : nothing
    }
  `
}

function assetControl(
  view: ChoosingView,
  asset: AssetOption,
  scene: Parameters<typeof choosing>[1],
): TemplateResult {
  const {words, ask, look} = view
  const pair = scene.phase === 'quoting' ? scene.pair : null
  const only = onlyPair(asset)
  const [first] = openNetworks(asset)
  const isAsked = pair?.asset === asset.id
  const isOpen = !only && (isAsked || (scene.phase === 'choosing' && scene.asset === asset.id))
  const many = asset.networks.length
  const hint = !first
    ? words.notNow
    : isAsked && only
      ? words.gettingAmount
      : many > 1
        ? words.networkCount(many)
        : named(first)
  return html`<button
      part="asset"
      class="choice ${isAsked ? 'asked' : ''}"
      type="button"
      data-asset=${asset.id}
      ?disabled=${!first}
      .ariaExpanded=${only || !first ? null : `${isOpen}`}
      @click=${() => (only ? ask(only) : look(isOpen ? null : asset.id))}
    >
      ${logo(view, asset)}
      <span><b>${asset.symbol}</b> <span class="fine">${asset.name}</span></span>
      <span class="hint fine">${hint}</span>
    </button>
    ${
      isOpen
        ? html`<div class="nested">
            <p class="fine">${words.chooseNetwork(asset.symbol)}</p>
            <ul part="networks" role="list" aria-label=${words.chooseNetwork(asset.symbol)}>
              ${asset.networks.map(network => html`<li>${networkControl(view, asset, network, pair)}</li>`)}
            </ul>
          </div>`
        : nothing
    }`
}

/** "BNB Smart Chain, BEP-20": tokens name their standard, native coins do not. */
function named({name, standard}: NetworkOption): string {
  return standard ? `${name}, ${standard}` : name
}

function networkControl(
  {words, ask}: View,
  asset: AssetOption,
  network: NetworkOption,
  pair: Pair | null,
): TemplateResult {
  const isAsked = pair?.asset === asset.id && pair.network === network.id
  const {settles, pegged, legacy, disabled} = network
  const traits = [settles && words.settles[settles], pegged && words.pegged, legacy && words.legacy]
  const hint = disabled ? words.notNow : isAsked ? words.gettingAmount : traits.filter(Boolean).join(' · ')
  return html`<button
    part="network"
    class="choice ${isAsked ? 'asked' : ''}"
    type="button"
    data-network=${network.id}
    ?disabled=${disabled}
    @click=${() => ask({asset: asset.id, network: network.id})}
  >
    <span><b>${network.name}</b> <span class="fine">${network.standard}</span></span>
    <span class="hint fine">${hint}</span>
  </button>`
}

/** The monogram lies beneath, so that there is something to see before, or instead of, the picture. */
function logo(
  {logos, brokenLogos, logoBroke}: ChoosingView,
  {symbol, logo: address}: AssetOption,
): TemplateResult {
  const isShown = logos && address && isHttps(address) && !brokenLogos.has(address)
  return html`<span class="logo" aria-hidden="true"
    >${symbol.slice(0, 1)}${
      isShown
        ? html`<img
            src=${address}
            alt=""
            loading="lazy"
            referrerpolicy="no-referrer"
            @error=${() => logoBroke(address)}
          />`
        : nothing
    }</span
  >`
}
