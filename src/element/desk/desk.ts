/**
 * Where one pays: everything from the quote to the receipt, loaded late, but always before a quote is asked for. The
 * desk keeps what only it needs to know: which QR code is wanted, what was copied, the way back to the shop.
 */
import type {TemplateResult} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import type {Scene} from '../../core/phase.js'
import {preselect} from '../../core/preselect.js'
import type {Surroundings} from '../page.js'
import {adopt} from '../styles/styles.js'
import type {View} from '../views/view.js'
import {enDesk} from '../words/en-desk.js'
import {merged} from '../words/registered.js'
import type {DeskWords, LoadedWords} from '../words/words.js'
import {confirming, ended, paid, underpaid} from './after.js'
import {copyText} from './copy.js'
import {leaving} from './leaving.js'
import {paying} from './paying.js'
import {mayFollow} from './redirect.js'
import {deskStyles} from './styles.js'
import type {Copied, Copying, DeskView, QrForm} from './view.js'

export type DeskScene = Exclude<Scene, {phase: 'idle' | 'loading' | 'unavailable' | 'choosing' | 'quoting'}>

/** What the desk needs of the element. */
export interface DeskHost {
  readonly surroundings: Surroundings
  readonly autoRedirect: boolean
  /** The form of the QR code to begin with. */
  readonly qr: QrForm
  readonly words: LoadedWords
  /** Has a text spoken. */
  say(text: string): void
  requestUpdate(): void
}

/** Seconds between the payment and the way back to the shop. */
const REDIRECT_AFTER = 5
const COPIED_FOR = 2_000
const REFUSED_FOR = 20_000

export class Desk {
  #qr: QrForm | null = null
  #copying: Copying | null = null
  #telling: AbortController | null = null
  #redirectIn: number | null = null
  #hasGrown = false
  /** Each charge leads back once, even when the customer comes back to this page; null when it has. */
  #redirects = new Map<string, AbortController | null>()

  constructor(
    private readonly host: DeskHost,
    private readonly root: HTMLElement | DocumentFragment,
  ) {
    adopt(deskStyles, root)
  }

  /** Whether this page has shown where to send money, so that it has become higher. */
  get hasGrown(): boolean {
    return this.#hasGrown
  }

  /** What the attributes mean; only those who have a desk can be quoted without a click. */
  readonly preselect = preselect

  readonly draw = (early: View, scene: DeskScene): TemplateResult => {
    const view = this.#view(early)
    switch (scene.phase) {
      case 'paying':
        return paying(view, scene)
      case 'confirming':
        return confirming(view, scene.checkout, scene.problem)
      case 'underpaid':
        return underpaid(view, scene)
      case 'paid':
      case 'overpaid':
        return paid(view, scene.checkout)
      case 'expired':
      case 'cancelled':
        return ended(view, scene.phase, scene.checkout, scene.problem)
    }
  }

  readonly drawLeaving = (early: View, leave: () => void): TemplateResult => leaving(this.#view(early), leave)

  /** After each drawing. */
  settle({phase, checkout}: DeskScene): void {
    if (phase === 'paying') this.#hasGrown = true
    const isPaid = phase === 'paid' || phase === 'overpaid'
    if (!this.host.autoRedirect) this.#stopRedirects()
    else if (isPaid) void this.#leadBack(checkout)
  }

  /** The element has left the page, or follows another charge: nothing may happen any more. */
  leave(): void {
    this.#qr = null
    this.#hasGrown = false
    this.#telling?.abort()
    // Who was on the way goes on after coming back, in full.
    for (const [chargeId, stop] of this.#redirects) {
      if (stop && !stop.signal.aborted) this.#redirects.delete(chargeId)
      stop?.abort()
    }
  }

  get #words(): DeskWords {
    return merged<DeskWords>(enDesk, this.host.words)
  }

  #view(early: View): DeskView {
    return {
      ...early,
      desk: this.#words,
      qr: this.#qr ?? this.host.qr,
      copying: this.#copying,
      redirectIn: this.#redirectIn,
      copy: (what, text) => void this.#copy(what, text),
      switchQr: form => {
        this.#qr = form
        this.host.requestUpdate()
      },
      stopRedirect: () => this.#stopRedirects(),
    }
  }

  async #copy(what: Copied, text: string): Promise<void> {
    const {host} = this
    const shown = this.root.querySelector(`[part=${what}]`)
    if (!shown) return
    this.#telling?.abort()
    const {signal} = (this.#telling = new AbortController())
    const isCopied = await copyText(text, shown)
    if (signal.aborted) return
    host.say(isCopied ? this.#words.copied[what] : this.#words.copyByHand)
    this.#copying = {what, isCopied}
    host.requestUpdate()
    await host.surroundings.time.sleep(isCopied ? COPIED_FOR : REFUSED_FOR, signal)
    if (signal.aborted) return
    this.#copying = null
    host.requestUpdate()
  }

  async #leadBack({chargeId, redirectUrl}: Checkout): Promise<void> {
    if (!redirectUrl || !mayFollow(redirectUrl) || this.#redirects.has(chargeId)) return
    const stop = new AbortController()
    this.#redirects.set(chargeId, stop)
    const {host} = this
    for (let left = REDIRECT_AFTER; left > 0 && !stop.signal.aborted; left--) {
      this.#redirectIn = left
      host.requestUpdate()
      await host.surroundings.time.sleep(1_000, stop.signal)
    }
    this.#redirectIn = null
    host.requestUpdate()
    if (stop.signal.aborted) return
    this.#redirects.set(chargeId, null)
    host.surroundings.navigate(redirectUrl)
  }

  #stopRedirects(): void {
    for (const stop of this.#redirects.values()) stop?.abort()
  }
}
