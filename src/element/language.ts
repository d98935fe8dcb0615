/**
 * The language of one element: finds out which, loads its words, and follows when the page changes its mind. Until the
 * first words are there nothing is said at all, since another language for a moment would be worse than a moment of
 * silence; but neither a slow nor a missing part keeps the customer waiting.
 */
import type {ReactiveController, ReactiveControllerHost} from 'lit'
import {choose, hostsOf, localesFor, namesOf} from './locale.js'
import type {Surroundings} from './page.js'
import {en} from './words/en.js'
import type {Language} from './words/languages.js'
import {listeners, merged, withRegistered} from './words/registered.js'
import type {LoadedWords, Words} from './words/words.js'

/** How long nothing is said. After that English has to do, until the words come after all. */
const PATIENCE = 3_000

interface Host extends ReactiveControllerHost, Element {
  readonly locale: string | null
  readonly surroundings: Surroundings
}

export class Speech implements ReactiveController {
  /** Null until something may be said. */
  words: LoadedWords | null = null
  /** BCP 47, of the words. */
  locale = 'en'
  #wanted = ''
  #waiting = new AbortController()
  #observer: MutationObserver | undefined

  constructor(private readonly host: Host) {
    host.addController(this)
  }

  /** For `Intl`, which takes English where it does not know the language of the words. */
  get formats(): readonly string[] {
    return [this.locale, 'en']
  }

  hostConnected(): void {
    const {host} = this
    this.#observer = new MutationObserver(() => host.requestUpdate())
    for (const around of hostsOf(host))
      this.#observer.observe(around.getRootNode(), {attributeFilter: ['lang'], subtree: true})
    listeners.add(this.#askAnew)
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    listeners.delete(this.#askAnew)
    this.#askAnew()
  }

  hostUpdate(): void {
    const {host} = this
    if (!host.isConnected) return
    const {locale, language} = choose(localesFor(host, host.locale))
    if (locale === this.#wanted) return
    this.#waiting.abort()
    this.#wanted = locale
    if (language) void this.#learn(locale, language)
    else this.#speak(locale)
  }

  async #learn(locale: string, language: Language): Promise<void> {
    const {time, loadWords} = this.host.surroundings
    const {signal} = (this.#waiting = new AbortController())
    if (!this.words) void time.sleep(PATIENCE, signal).then(() => signal.aborted || this.#speak())
    const part = await loadWords(language).catch(() => null)
    if (signal.aborted) return
    this.#waiting.abort()
    if (part) this.#speak(locale, part.words)
    else this.#speak()
  }

  /** English unless told otherwise; also for a sentence that the words of an older part do not have. */
  #speak(locale = 'en', words?: Words): void {
    this.locale = locale
    this.words = withRegistered(merged<LoadedWords>(en, words), namesOf(locale))
    this.host.requestUpdate()
  }

  readonly #askAnew = (): void => {
    this.#waiting.abort()
    this.#wanted = ''
    this.host.requestUpdate()
  }
}
