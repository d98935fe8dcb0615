import type {TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import type {Clock} from '../../contract/clock.js'
import {search} from '../../core/listing.js'
import {pluralize} from '../i18n/format.js'
import {adopt} from '../styles/index.js'
import type {ViewContext} from '../views/context.js'
import {SEARCH_THRESHOLD} from '../views/skeleton.js'
import type {DrawLogo} from './logos.js'
import {createRemoteLogos} from './remote-logos.js'
import {RovingFocus} from './roving-focus.js'
import {assetPickerStyles} from './styles.js'
import {assetPickerView, type AssetPickerProps, type AssetPickerViewState} from './view.js'

export type Logos = 'bundled' | 'remote' | 'none'

export interface AssetPickerHost {
  readonly environment: {
    readonly clock: Pick<Clock, 'now'>
    loadLastPair(): string | null
    nextPaint(): Promise<void>
    loadIcons(): Promise<typeof import('./icons.js')>
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
 * loads while the checkout is requested; part of the first file in the script-tag build. Icons load once the list shows;
 * until then, monograms show.
 */
export class AssetPicker implements AssetPickerProps {
  query = ''
  readonly focus: RovingFocus
  rows = SEARCH_THRESHOLD
  #painted: Promise<void> | null = null
  #loading: Promise<void> | null = null
  #icons: typeof import('./icons.js') | null = null
  readonly #drawRemoteLogo: DrawLogo
  lastPair: string | null

  constructor(
    private readonly host: AssetPickerHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    this.lastPair = host.environment.loadLastPair()
    this.focus = new RovingFocus(host.environment.clock)
    this.#drawRemoteLogo = createRemoteLogos(() => host.requestUpdate())
    adopt(assetPickerStyles, root)
    host.requestUpdate()
  }

  get forget(): boolean {
    return this.host.forget
  }

  get drawLogo(): DrawLogo | null {
    switch (this.host.logos) {
      case 'remote':
        return this.#drawRemoteLogo
      case 'none':
        return null
      default:
        return this.#icons?.drawIcon ?? null
    }
  }

  render(context: ViewContext, viewState: AssetPickerViewState): TemplateResult {
    return assetPickerView(context, viewState, this)
  }

  hostUpdated(): void {
    const list = this.root.querySelector('[part=assets]')
    this.focus.hostUpdated(list)
    if (!list) return
    this.#painted ??= this.#afterPaint()
    const {logos} = this.host
    if (logos !== 'remote' && logos !== 'none') this.#loading ??= this.#painted.then(() => this.#loadIcons())
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
    void this.host.loadPayment().catch(() => undefined)
  }

  async #loadIcons(): Promise<void> {
    const chunk = await this.host.environment.loadIcons().catch(() => null)
    if (!chunk) return
    this.#icons = chunk
    adopt(chunk.iconStyles, this.root)
    this.host.requestUpdate()
  }

  search(text: string, assets: readonly AssetOption[], {translation, locale}: ViewContext): void {
    this.query = text
    this.host.requestUpdate()
    const {length} = search(assets, text)
    this.host.announce(length ? pluralize(translation.found, length, locale) : translation.nothingFound)
  }
}
