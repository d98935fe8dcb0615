/** The checkout as pages and forms, for browsers without JavaScript. The views are those of the element. */
import {isPaid, type Checkout, type Problem} from '../../contract/index.js'
import type {ViewState} from '../../core/phase.js'
import {networkName} from '../../core/network-name.js'
import {isTransient} from '../../core/problems.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import {interpolate} from '../../translations/format.js'
import {problemText, type FullLanguage} from '../../translations/translation.js'
import {pageReply, type HostedPageOptions, type StyleSheet} from '../document.js'
import {fullLanguage} from '../full-language.js'
import {Markup, markup} from '../markup.js'
import {pageLanguage, type PageLanguage} from '../page-texts.js'
import type {Renderer} from '../renderer.js'
import {
  alarmedState,
  parseQuery,
  plainUrl,
  plainViewState,
  shownQuote,
  type PlainQuery,
  type ShownQuote,
} from './plain-state.js'

const REFRESH_SECONDS = 15
/** A late payment may still arrive. */
const CLOSED_REFRESH_SECONDS = 60

export interface PlainPageOptions extends HostedPageOptions {
  readonly renderer: Pick<Renderer, 'formStyle' | 'formView'>
  /** Whether the proxy requires client tokens. */
  readonly hasTokens: boolean
  readonly style: StyleSheet
}

interface Content {
  readonly status?: number
  readonly views: readonly Markup[]
  /** Loads the page again, or another one. */
  readonly refresh?: {readonly seconds: number; readonly url: string} | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export class PlainPage {
  readonly #query: PlainQuery
  /** Of the texts around the views, which are in fewer languages. */
  readonly #around: PageLanguage

  private constructor(
    readonly options: PlainPageOptions,
    readonly request: HttpRequest,
    readonly language: FullLanguage,
  ) {
    this.#query = parseQuery(request.query)
    this.#around = pageLanguage(request.headers['accept-language'])
  }

  static async of(options: PlainPageOptions, request: HttpRequest): Promise<PlainPage> {
    return new PlainPage(options, request, await fullLanguage(request.headers['accept-language']))
  }

  checkout(checkout: Checkout): HttpReply {
    const viewState = plainViewState(checkout, this.#query)
    const seconds = reloadSeconds(viewState)
    const views = [this.#news(viewState), this.#refusal(checkout), this.#form(viewState, checkout)]
    if (seconds === undefined) return this.#reply({views})
    return this.#reply(this.#reloading(views, seconds, this.#query.shown ?? shownQuote(checkout)))
  }

  /** Nobody has opened the charge. If the customer has seen an address of it, the store was lost. */
  notOpen(chargeId: string): HttpReply {
    if (this.#query.shown) return this.#reply({views: [this.#form(alarmedState(chargeId), null)]})
    const {title} = this.language.translation
    return this.#reply({views: [card(markup`<button class="primary">${title}</button>`)]})
  }

  /** Sends the browser to the page without the token, which a cookie has now. */
  enter(cookie: string): HttpReply {
    const {title} = this.language.translation
    // Some hosts add a slash to every path.
    const url = this.request.path.endsWith('/') ? '../../plain' : '../plain'
    return this.#reply({
      views: [card(markup`<a class="primary" href="${url}">${title}</a>`)],
      // A redirect from another site would not send a strict cookie in Chromium.
      refresh: {seconds: 0, url},
      headers: {'set-cookie': cookie, 'referrer-policy': 'no-referrer'},
    })
  }

  problem(problem: Problem, headers: Readonly<Record<string, string>>): HttpReply {
    const keepsTrying = this.request.method === 'GET' && isTransient(problem)
    const seconds = Math.max(REFRESH_SECONDS, problem.retryAfter ?? 0)
    const reason = {kind: 'problem', problem} as const
    const views = [
      // Money that was sent still counts.
      this.#query.shown && problem.code === 'unauthorized'
        ? markup`<p role="status">${this.language.translation.tokenExpired}</p>`
        : markup``,
      this.#form({phase: 'unavailable', reason, chargeId: ''}, null),
    ]
    return this.#reply({
      ...(keepsTrying ? this.#reloading(views, seconds, this.#query.shown) : {views}),
      status: problem.status,
      headers: {...headers, ...(problem.retryAfter && {'retry-after': String(problem.retryAfter)})},
    })
  }

  #form(viewState: ViewState, checkout: Checkout | null): Markup {
    const {renderer} = this.options
    const view = renderer.formView(viewState, checkout, this.language)
    const amount = viewState.phase === 'paying' ? viewState.step.quote.amount : undefined
    const before = amount && markup`<input type="hidden" name="before" value="${amount}">`
    return form(viewState.phase, markup`${new Markup(view)}${before}`)
  }

  /** Compares the amount with the one that the customer saw: it must not change silently. */
  #news(viewState: ViewState): Markup {
    const {shown, isRenewed} = this.#query
    if (viewState.phase !== 'paying' || !shown) return markup``
    const isChanged = shown.amount !== viewState.step.quote.amount
    if (!isChanged && !isRenewed) return markup``
    const {tag, texts} = this.#around
    return isChanged
      ? markup`<p role="status" lang="${tag}"><b>${texts.amountChanged}</b></p>`
      : markup`<p role="status">${this.language.translation.amountUnchanged}</p>`
  }

  /** Why the address for a refund was not accepted. */
  #refusal(checkout: Checkout): Markup {
    const {problem, pair} = this.#query
    const [payment] = checkout.payments.filter(({confirmed}) => confirmed)
    if (!problem || pair || !payment || checkout.refund !== 'possible') return markup``
    const {translation} = this.language
    const invalid = interpolate(translation.refund.invalid, {network: networkName(checkout, payment)})
    const text = problem.code === 'bad_request' ? invalid : problemText(translation, problem)
    return markup`<p role="alert"><b>${text}</b></p>`
  }

  #reply({status = 200, views, refresh, headers}: Content): HttpReply {
    const {options, language} = this
    return pageReply(options, this.request.headers, {
      status,
      tag: language.tag,
      direction: language.direction,
      title: language.translation.title,
      style: options.style,
      head: refresh
        ? markup`<meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.url}">`
        : markup``,
      main: markup`${views.map(view => markup`${view}\n`)}`,
      headers: {'referrer-policy': 'same-origin', ...headers},
      policy: ["form-action 'self'"],
    })
  }

  /** A reload begins the page anew for a screen reader, so it can be stopped (WCAG 2.2, criterion 2.2.1). */
  #reloading(views: readonly Markup[], seconds: number, shown: ShownQuote | null): Content {
    const {isRenewed, isStopped} = this.#query
    const {tag, texts} = this.#around
    const url = plainUrl({pair: shown, isRenewed, isStopped})
    const stop = markup`<a href="${plainUrl({pair: shown, isRenewed, isStopped: true})}">${texts.stopReloading}</a>`
    const links = markup`<p lang="${tag}" class="reload"><a href="${url}">${texts.checkAgain}</a>
${isStopped ? undefined : stop}</p>`
    return {views: [...views, links], refresh: isStopped ? undefined : {seconds, url}}
  }
}

/** Where there is no checkout. */
function card(action: Markup): Markup {
  return form('loading', markup`<div part="base"><div class="view">${action}</div></div>`)
}

function form(phase: ViewState['phase'], content: Markup): Markup {
  return markup`<form class="checkout" phase="${phase}" method="post" action="?">${content}</form>`
}

/** Not while the customer chooses: a field would lose its text, and the list its place. */
function reloadSeconds({phase}: ViewState): number | undefined {
  if (phase === 'choosing' || isPaid(phase)) return undefined
  return phase === 'expired' || phase === 'cancelled' ? CLOSED_REFRESH_SECONDS : REFRESH_SECONDS
}
