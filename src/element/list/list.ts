/**
 * What one chooses from. It is fetched while the proxy is asked for the checkout, so that nobody waits for it; in the
 * script-tag build it is there from the start. The list keeps what only it needs to know: what was typed, where the
 * keyboard is, which logos have come, what was chosen last.
 */
import type {TemplateResult} from 'lit'
import type {AssetOption} from '../../contract/checkout.js'
import {search} from '../../core/listing.js'
import type {Scene} from '../../core/phase.js'
import type {Surroundings} from '../page.js'
import {adopt} from '../styles/styles.js'
import type {View} from '../views/view.js'
import {counted} from '../words/fill.js'
import {choosing} from './choosing.js'
import {ListKeys} from './keys.js'
import {listStyles} from './styles.js'

export type ListScene = Extract<Scene, {phase: 'choosing' | 'quoting'}>

/** What the list needs of the element. */
export interface ListHost {
  readonly surroundings: Surroundings
  readonly logos: 'remote' | 'none'
  readonly forget: boolean
  /** Has a text spoken. */
  say(text: string): void
  requestUpdate(): void
}

export class List {
  /** What was typed into the search field. */
  searched = ''
  #remembered: string | null
  readonly loadedLogos = new Set<string>()
  readonly keys: ListKeys

  constructor(
    private readonly host: ListHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    this.keys = new ListKeys(host.surroundings.time)
    this.#remembered = host.surroundings.recall()
    adopt(listStyles, root)
  }

  /** What this browser remembers of the last choice. */
  get last(): string | null {
    return this.host.forget ? null : this.#remembered
  }

  /** Whether they may be fetched. */
  get hasLogos(): boolean {
    return this.host.logos !== 'none'
  }

  draw(view: View, scene: ListScene): TemplateResult {
    return choosing(view, scene, this)
  }

  /** After each drawing. */
  settle(): void {
    this.keys.settle(this.root.querySelector('[part=assets]'))
  }

  /** The element follows another charge. */
  leave(): void {
    this.searched = ''
    this.#remembered = this.host.surroundings.recall()
  }

  logoLoaded(address: string): void {
    this.loadedLogos.add(address)
    this.host.requestUpdate()
  }

  search(text: string, assets: readonly AssetOption[], {words, locale}: View): void {
    this.searched = text
    this.host.requestUpdate()
    const {length} = search(assets, text)
    this.host.say(length ? counted(words.found, length, locale) : words.nothingFound)
  }
}
