/**
 * What one chooses from. It is fetched while the proxy is asked for the checkout, so that nobody waits for it; in the
 * script-tag build it is there from the start. The list keeps what only it needs to know: what was typed, where the
 * keyboard is, which logos have come, what was chosen last.
 */
import type {TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import {search} from '../../core/listing.js'
import type {ViewState} from '../../core/phase.js'
import type {Environment} from '../environment.js'
import {adopt} from '../styles/index.js'
import type {ViewContext} from '../views/context.js'
import {pluralize} from '../i18n/format.js'
import {assetPickerView} from './view.js'
import {RovingFocus} from './roving-focus.js'
import {assetPickerStyles} from './styles.js'

export type AssetPickerViewState = Extract<ViewState, {phase: 'choosing' | 'quoting'}>

/** What the list needs of the element. */
export interface AssetPickerHost {
  readonly environment: Environment
  readonly logos: 'remote' | 'none'
  readonly forget: boolean
  /** Has a text spoken. */
  announce(text: string): void
  requestUpdate(): void
}

export class AssetPicker {
  /** What was typed into the search field. */
  query = ''
  #lastPair: string | null
  readonly loadedLogos = new Set<string>()
  readonly focus: RovingFocus

  constructor(
    private readonly host: AssetPickerHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    this.focus = new RovingFocus(host.environment.clock)
    this.#lastPair = host.environment.loadLastPair()
    adopt(assetPickerStyles, root)
  }

  /** What this browser remembers of the last choice. */
  get lastPair(): string | null {
    return this.host.forget ? null : this.#lastPair
  }

  /** Whether they may be fetched. */
  get hasLogos(): boolean {
    return this.host.logos !== 'none'
  }

  render(view: ViewContext, scene: AssetPickerViewState): TemplateResult {
    return assetPickerView(view, scene, this)
  }

  /** After each drawing. */
  hostUpdated(): void {
    this.focus.hostUpdated(this.root.querySelector('[part=assets]'))
  }

  /** The element follows another charge. */
  reset(): void {
    this.query = ''
    this.#lastPair = this.host.environment.loadLastPair()
  }

  logoLoaded(address: string): void {
    this.loadedLogos.add(address)
    this.host.requestUpdate()
  }

  search(text: string, assets: readonly AssetOption[], {translation, locale}: ViewContext): void {
    this.query = text
    this.host.requestUpdate()
    const {length} = search(assets, text)
    this.host.announce(length ? pluralize(translation.found, length, locale) : translation.nothingFound)
  }
}
