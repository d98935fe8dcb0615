import type {ReactiveController, ReactiveControllerHost} from 'lit'
import type {Clock} from '../../contract/clock.js'
import {en} from '../../translations/generated/english.js'
import type {Language} from '../../translations/generated/languages.js'
import {applyOverrides, listeners} from './registry.js'
import {localesFor, resolveLocale, shadowHosts} from './resolve-locale.js'
import {directionOf, localeFallbacks} from '../../translations/locale.js'
import {mergeTranslations, type Translation} from '../../translations/translation.js'

/** English is used after this time, until the translation has loaded. */
const FALLBACK_AFTER_MS = 3_000

interface Host extends ReactiveControllerHost, Element {
  readonly locale: string | null
  readonly environment: {
    readonly clock: Clock
    loadTranslation(language: Language): Promise<{default: object}>
  }
}

/**
 * Resolves the element's locale, loads its translation, and reacts to changes of `lang`. Until the first translation has
 * loaded, the element shows no text, so that no other language appears first. A slow or failed load falls back to English.
 */
export class LocalizeController implements ReactiveController {
  /** Null until the first translation has loaded or fallen back. */
  translation: Translation | null = null
  /** The BCP 47 tag of the translation. */
  locale = 'en'
  dir: 'ltr' | 'rtl' = 'ltr'
  #requested = ''
  #loading = new AbortController()
  #observer: MutationObserver | undefined

  constructor(private readonly host: Host) {
    host.addController(this)
  }

  /** For `Intl`, with English for languages that it does not know. */
  get formatLocales(): readonly string[] {
    return [this.locale, 'en']
  }

  hostConnected(): void {
    const {host} = this
    this.#observer = new MutationObserver(() => host.requestUpdate())
    for (const ancestor of shadowHosts(host))
      this.#observer.observe(ancestor.getRootNode(), {attributeFilter: ['lang'], subtree: true})
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
    if (locale === this.#requested) return
    this.#loading.abort()
    this.#requested = locale
    if (language) void this.#load(locale, language)
    else this.#apply(locale)
  }

  async #load(locale: string, language: Language): Promise<void> {
    const {environment} = this.host
    const {signal} = (this.#loading = new AbortController())
    if (!this.translation)
      void environment.clock.sleep(FALLBACK_AFTER_MS, signal).then(() => signal.aborted || this.#apply())
    const chunk = await environment.loadTranslation(language).catch(() => null)
    if (signal.aborted) return
    this.#loading.abort()
    if (chunk) this.#apply(locale, language, chunk.default)
    else this.#apply()
  }

  /** English also fills in messages that an outdated chunk of the translation lacks. */
  #apply(locale = 'en', language: string = locale, translation?: object): void {
    this.locale = locale
    this.dir = directionOf(language)
    this.translation = applyOverrides(
      mergeTranslations<Translation>(en, translation),
      localeFallbacks(locale),
    )
    this.host.requestUpdate()
  }

  readonly #reload = (): void => {
    this.#loading.abort()
    this.#requested = ''
    this.host.requestUpdate()
  }
}
