/**
 * The language of one element: finds out which, loads its words, and follows when the page changes its mind. Until the
 * first words are there nothing is said at all, since another language for a moment would be worse than a moment of
 * silence; but neither a slow nor a missing part keeps the customer waiting.
 */
import type {ReactiveController, ReactiveControllerHost} from 'lit'
import {resolveLocale, shadowHosts, localesFor, localeFallbacks} from './resolve-locale.js'
import type {Environment} from '../environment.js'
import {en} from './translations/en.js'
import type {Language} from './loaders.js'
import {listeners, mergeTranslations, applyOverrides} from './registry.js'
import type {LoadedTranslation, Translation} from './translation.js'

/** How long nothing is said. After that English has to do, until the words come after all. */
const FALLBACK_AFTER_MS = 3_000

interface Host extends ReactiveControllerHost, Element {
  readonly locale: string | null
  readonly environment: Environment
}

export class LocalizeController implements ReactiveController {
  /** Null until something may be said. */
  translation: LoadedTranslation | null = null
  /** BCP 47, of the translation. */
  locale = 'en'
  #wanted = ''
  #waiting = new AbortController()
  #observer: MutationObserver | undefined

  constructor(private readonly host: Host) {
    host.addController(this)
  }

  /** For `Intl`, which takes English where it does not know the language of the translation. */
  get formatLocales(): readonly string[] {
    return [this.locale, 'en']
  }

  hostConnected(): void {
    const {host} = this
    this.#observer = new MutationObserver(() => host.requestUpdate())
    for (const around of shadowHosts(host))
      this.#observer.observe(around.getRootNode(), {attributeFilter: ['lang'], subtree: true})
    listeners.add(this.#reload)
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    listeners.delete(this.#reload)
    this.#reload()
  }

  hostUpdate(): void {
    const {host} = this
    if (!host.isConnected) return
    const {locale, language} = resolveLocale(localesFor(host, host.locale))
    if (locale === this.#wanted) return
    this.#waiting.abort()
    this.#wanted = locale
    if (language) void this.#load(locale, language)
    else this.#apply(locale)
  }

  async #load(locale: string, language: Language): Promise<void> {
    const {clock, loadTranslation} = this.host.environment
    const {signal} = (this.#waiting = new AbortController())
    if (!this.translation)
      void clock.sleep(FALLBACK_AFTER_MS, signal).then(() => signal.aborted || this.#apply())
    const chunk = await loadTranslation(language).catch(() => null)
    if (signal.aborted) return
    this.#waiting.abort()
    if (chunk) this.#apply(locale, chunk.translation)
    else this.#apply()
  }

  /** English unless told otherwise; also for a sentence that the words of an older part do not have. */
  #apply(locale = 'en', translation?: Translation): void {
    this.locale = locale
    this.translation = applyOverrides(
      mergeTranslations<LoadedTranslation>(en, translation),
      localeFallbacks(locale),
    )
    this.host.requestUpdate()
  }

  readonly #reload = (): void => {
    this.#waiting.abort()
    this.#wanted = ''
    this.host.requestUpdate()
  }
}
