import type {TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import {search, sorted} from '../../core/listing.js'
import {pluralize} from '../../translations/format.js'
import type {DrawLogos} from '../logos/draw-logos.js'
import type {Logos} from '../logos/logos.js'
import {adopt} from '../styles/index.js'
import type {ViewContext, ViewHost} from '../views/context.js'
import {SEARCH_THRESHOLD} from '../views/skeleton.js'
import {RovingFocus} from './roving-focus.js'
import {assetPickerStyles} from './styles.js'
import {assetPickerView, type AssetPickerProps, type AssetPickerViewState} from './view.js'

export interface AssetPickerHost extends ViewHost {
  readonly environment: ViewHost['environment'] & {
    loadLastPair(): string | null
  }
  readonly logos: Logos
  /** Loads the payment views, which the customer's choice needs. */
  loadPayment(): Promise<unknown>
}

/**
 * The list of assets and networks, and its state: the query, the tab stop, the last used pair. A lazy chunk that
 * loads while the checkout is requested; part of the first file in the script-tag build.
 */
export class AssetPicker implements AssetPickerProps {
  query = ''
  readonly focus: RovingFocus
  rows = SEARCH_THRESHOLD
  #results: {
    readonly assets: readonly AssetOption[]
    readonly query: string
    readonly found: readonly AssetOption[]
  } = {assets: [], query: '', found: []}
  #isPainted = false
  #hasPartField = false
  lastPair: string | null

  constructor(private readonly host: AssetPickerHost) {
    this.lastPair = host.environment.loadLastPair()
    this.focus = new RovingFocus(host.environment.clock)
    adopt(assetPickerStyles, host.element.renderRoot)
    host.element.requestUpdate()
  }

  get forget(): boolean {
    return this.host.element.forget
  }

  get draw(): DrawLogos | null {
    return this.host.logos.draw
  }

  render(context: ViewContext, viewState: AssetPickerViewState): TemplateResult {
    return assetPickerView(context, viewState, this)
  }

  hostUpdated(): void {
    const {renderRoot} = this.host.element
    const field = renderRoot.querySelector<HTMLInputElement>('[part=part-amount]')
    if (field && !this.#hasPartField && !field.value) field.focus()
    this.#hasPartField = field !== null
    const list = renderRoot.querySelector('[part=assets]')
    this.focus.hostUpdated(list)
    if (!list) return
    if (!this.#isPainted) void this.#afterPaint()
    this.#isPainted = true
    void this.host.logos.load()
  }

  /** Called when the element gets another charge. */
  reset(): void {
    this.query = ''
    this.lastPair = this.host.environment.loadLastPair()
  }

  /** Has the same rows. The last used pair would move them, under the finger of a customer. */
  continueServerView(): void {
    this.rows = Infinity
    this.lastPair = null
  }

  /** Adds the rows below the first, and loads what the customer needs next. */
  async #afterPaint(): Promise<void> {
    await this.host.environment.nextPaint()
    this.rows = Infinity
    this.host.element.requestUpdate()
    void this.host.loadPayment().catch(() => undefined)
  }

  askForPart(): void {
    this.host.element.renderRoot.querySelector<HTMLElement>('[part=part-amount]')?.focus()
  }

  leavePart(): void {
    this.host.element.renderRoot.querySelector<HTMLElement>('[part=asset][tabindex="0"]')?.focus()
  }

  /** The same list for the same assets and query. */
  results(assets: readonly AssetOption[], query: string): readonly AssetOption[] {
    const last = this.#results
    if (last.assets !== assets || last.query !== query)
      this.#results = {assets, query, found: search(sorted(assets), query)}
    return this.#results.found
  }

  search(text: string, assets: readonly AssetOption[], {translation, locale}: ViewContext): void {
    this.query = text
    this.host.element.requestUpdate()
    const {length} = this.results(assets, text)
    this.host.announce(length ? pluralize(translation.found, length, locale) : translation.nothingFound)
  }
}
