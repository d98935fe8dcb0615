import type {CSSResult, TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import type {Clock} from '../../contract/clock.js'
import {search} from '../../core/listing.js'
import {pluralize} from '../i18n/format.js'
import {adopt} from '../styles/index.js'
import type {ViewContext} from '../views/context.js'
import {SEARCH_THRESHOLD} from '../views/skeleton.js'
import type {DrawLogo} from './logos.js'
import type {RovingFocus} from './roving-focus.js'
import {assetPickerStyles} from './styles.js'
import {assetPickerView, type AssetPickerProps, type AssetPickerViewState} from './view.js'

export type Logos = 'bundled' | 'remote' | 'none'

export interface AssetPickerHost {
  readonly environment: {
    readonly clock: Pick<Clock, 'now'>
    loadLastPair(): string | null
    nextPaint(): Promise<void>
    loadRovingFocus(): Promise<typeof import('./roving-focus.js')>
    loadLogos(
      logos: 'bundled' | 'remote',
    ): Promise<{readonly logoStyles: CSSResult; createLogos(requestUpdate: () => void): DrawLogo}>
  }
  readonly logos: Logos
  readonly forget: boolean
  announce(text: string): void
  /** Loads the payment views, which the customer's choice needs. */
  loadPayment(): Promise<unknown>
  requestUpdate(): void
}

/**
 * The list of assets and networks, and its state: the query, the tab stop, logos, the last used pair. A lazy chunk that
 * loads while the checkout is requested; part of the first file in the script-tag build. Keyboard navigation and logos
 * are lazy chunks that load once the list shows: without them, each control is a tab stop, and monograms show.
 */
export class AssetPicker implements AssetPickerProps {
  query = ''
  focus: RovingFocus | null = null
  rows = SEARCH_THRESHOLD
  #painted: Promise<void> | null = null
  #drawLogo: DrawLogo | null = null
  #logos: Logos | null = null
  lastPair: string | null

  constructor(
    private readonly host: AssetPickerHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    this.lastPair = host.environment.loadLastPair()
    adopt(assetPickerStyles, root)
    host.requestUpdate()
  }

  get forget(): boolean {
    return this.host.forget
  }

  get drawLogo(): DrawLogo | null {
    return this.host.logos === 'none' ? null : this.#drawLogo
  }

  render(context: ViewContext, viewState: AssetPickerViewState): TemplateResult {
    return assetPickerView(context, viewState, this)
  }

  hostUpdated(): void {
    const list = this.root.querySelector('[part=assets]')
    this.focus?.hostUpdated(list)
    if (!list) return
    const painted = (this.#painted ??= this.#afterPaint())
    const {logos} = this.host
    if (logos === 'none' || logos === this.#logos) return
    this.#logos = logos
    void painted.then(() => this.#loadLogos(logos)).catch(() => undefined)
  }

  /** Called when the element gets another charge. */
  reset(): void {
    this.query = ''
    this.lastPair = this.host.environment.loadLastPair()
  }

  /** Adds the rows below the first, and loads what the customer needs next. */
  async #afterPaint(): Promise<void> {
    await this.host.environment.nextPaint()
    this.rows = Infinity
    this.host.requestUpdate()
    void this.#loadFocus().catch(() => undefined)
    void this.host.loadPayment().catch(() => undefined)
  }

  async #loadFocus(): Promise<void> {
    const {environment} = this.host
    const {RovingFocus} = await environment.loadRovingFocus()
    this.focus = new RovingFocus(environment.clock)
    this.host.requestUpdate()
  }

  async #loadLogos(logos: 'bundled' | 'remote'): Promise<void> {
    const {logoStyles, createLogos} = await this.host.environment.loadLogos(logos)
    if (logos !== this.#logos) return
    adopt(logoStyles, this.root)
    this.#drawLogo = createLogos(() => this.host.requestUpdate())
    this.host.requestUpdate()
  }

  search(text: string, assets: readonly AssetOption[], {translation, locale}: ViewContext): void {
    this.query = text
    this.host.requestUpdate()
    const {length} = search(assets, text)
    this.host.announce(length ? pluralize(translation.found, length, locale) : translation.nothingFound)
  }
}
