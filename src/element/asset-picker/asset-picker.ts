import type {TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import type {Clock} from '../../contract/clock.js'
import {search} from '../../core/listing.js'
import {pluralize} from '../i18n/format.js'
import {adopt} from '../styles/index.js'
import type {ViewContext} from '../views/context.js'
import {RovingFocus} from './roving-focus.js'
import {assetPickerStyles} from './styles.js'
import {assetPickerView, type AssetPickerProps, type AssetPickerViewState} from './view.js'

export interface AssetPickerHost {
  readonly environment: {readonly clock: Pick<Clock, 'now'>; loadLastPair(): string | null}
  readonly logos: 'remote' | 'none'
  readonly forget: boolean
  announce(text: string): void
  requestUpdate(): void
}

/**
 * The list of assets and networks, and its state: the query, the tab stop, loaded logos, the last used pair. A lazy
 * chunk that loads while the checkout is requested; part of the first file in the script-tag build.
 */
export class AssetPicker implements AssetPickerProps {
  query = ''
  readonly loadedLogos = new Set<string>()
  readonly focus: RovingFocus
  #lastPair: string | null

  constructor(
    private readonly host: AssetPickerHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    this.focus = new RovingFocus(host.environment.clock)
    this.#lastPair = host.environment.loadLastPair()
    adopt(assetPickerStyles, root)
  }

  get lastPair(): string | null {
    return this.host.forget ? null : this.#lastPair
  }

  get hasLogos(): boolean {
    return this.host.logos !== 'none'
  }

  render(context: ViewContext, viewState: AssetPickerViewState): TemplateResult {
    return assetPickerView(context, viewState, this)
  }

  hostUpdated(): void {
    this.focus.hostUpdated(this.root.querySelector('[part=assets]'))
  }

  /** Called when the element gets another charge. */
  reset(): void {
    this.query = ''
    this.#lastPair = this.host.environment.loadLastPair()
  }

  logoLoaded(url: string): void {
    this.loadedLogos.add(url)
    this.host.requestUpdate()
  }

  search(text: string, assets: readonly AssetOption[], {translation, locale}: ViewContext): void {
    this.query = text
    this.host.requestUpdate()
    const {length} = search(assets, text)
    this.host.announce(length ? pluralize(translation.found, length, locale) : translation.nothingFound)
  }
}
