/** The checkout as pages and forms, for browsers without JavaScript. */
import {isPaid, type Checkout, type Problem} from '../../contract/index.js'
import type {ViewState} from '../../core/phase.js'
import {isTransient} from '../../core/problems.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import {pageReply, styleSheet, type HostedPageOptions} from '../document.js'
import {markup, type Markup} from '../markup.js'
import {pageStyle} from '../page-assets.js'
import {pageLanguage} from '../page-texts.js'
import {fullLanguage} from '../full-language.js'
import {
  alarmedState,
  parseQuery,
  plainUrl,
  plainViewState,
  shownQuote,
  type ShownQuote,
} from './plain-state.js'
import {plainStyle} from './plain-style.js'
import {failed, opening, orderSummary, phaseView, type PlainContext} from './views.js'

const REFRESH_SECONDS = 15
/** A late payment may still arrive. */
const CLOSED_REFRESH_SECONDS = 60

const style = styleSheet(pageStyle + plainStyle)

interface Content {
  readonly status?: number
  readonly checkout?: Checkout
  readonly views: readonly Markup[]
  /** Loads the page again, or another one. */
  readonly refresh?: {readonly seconds: number; readonly url: string} | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export class PlainPage {
  private constructor(
    readonly options: HostedPageOptions,
    readonly request: HttpRequest,
    readonly context: PlainContext,
  ) {}

  static async of(options: HostedPageOptions, request: HttpRequest): Promise<PlainPage> {
    const language = await fullLanguage(request.headers['accept-language'])
    return new PlainPage(options, request, {...language, query: parseQuery(request.query)})
  }

  checkout(checkout: Checkout): HttpReply {
    const {query} = this.context
    const viewState = plainViewState(checkout, query)
    const seconds = reloadSeconds(viewState)
    const views = phaseView(this.context, viewState)
    const shown = query.shown ?? shownQuote(checkout)
    return this.#reply({
      checkout,
      views,
      ...(seconds !== undefined && this.#reloading(views, seconds, shown)),
    })
  }

  /** Nobody has opened the charge. If the customer has seen an address of it, the store was lost. */
  notOpen(chargeId: string): HttpReply {
    const {context} = this
    return this.#reply({
      views: context.query.shown ? phaseView(context, alarmedState(chargeId)) : opening(context),
    })
  }

  /** Sends the browser to the page without the token, which a cookie has now. */
  enter(cookie: string): HttpReply {
    const {title} = this.context.translation
    // Some hosts add a slash to every path.
    const url = this.request.path.endsWith('/') ? '../../plain' : '../plain'
    return this.#reply({
      views: [markup`<p><a class="button primary" href="${url}">${title}</a></p>`],
      // A redirect from another site would not send a strict cookie in Chromium.
      refresh: {seconds: 0, url},
      headers: {'set-cookie': cookie, 'referrer-policy': 'no-referrer'},
    })
  }

  problem(problem: Problem, headers: Readonly<Record<string, string>>): HttpReply {
    const {context, request} = this
    const keepsTrying = request.method === 'GET' && isTransient(problem)
    const seconds = Math.max(REFRESH_SECONDS, problem.retryAfter ?? 0)
    const views = failed(context, problem, keepsTrying)
    return this.#reply({
      status: problem.status,
      views,
      ...(keepsTrying && this.#reloading(views, seconds, context.query.shown)),
      headers: {...headers, ...(problem.retryAfter && {'retry-after': String(problem.retryAfter)})},
    })
  }

  #reply({status = 200, checkout, views, refresh, headers}: Content): HttpReply {
    const {context} = this
    const {tag, direction, translation} = context
    return pageReply(this.options, this.request.headers, {
      status,
      tag,
      direction,
      title: translation.title,
      style,
      head: refresh
        ? markup`<meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.url}">`
        : markup``,
      main: markup`<div class="card">${checkout && orderSummary(context, checkout)}
<div class="view">
${views.map(view => markup`${view}\n`)}</div></div>`,
      headers: {'referrer-policy': 'same-origin', ...headers},
      policy: ["form-action 'self'"],
    })
  }

  /** A reload begins the page anew for a screen reader, so it can be stopped (WCAG 2.2, criterion 2.2.1). */
  #reloading(views: readonly Markup[], seconds: number, shown: ShownQuote | null): Content {
    const {query} = this.context
    const {tag, texts} = pageLanguage(this.request.headers['accept-language'])
    const url = plainUrl({...query, shown})
    const stop = markup`<a href="${plainUrl({...query, shown, isStopped: true})}">${texts.stopReloading}</a>`
    const links = markup`<p lang="${tag}" class="reload"><a class="button" href="${url}">${texts.checkAgain}</a>
${query.isStopped ? undefined : stop}</p>`
    return {views: [...views, links], refresh: query.isStopped ? undefined : {seconds, url}}
  }
}

/** Not while the customer chooses: a field would lose its text, and the list its place. */
function reloadSeconds(viewState: ViewState): number | undefined {
  if (viewState.phase === 'choosing' || isPaid(viewState.phase)) return undefined
  const isClosed = viewState.phase === 'expired' || viewState.phase === 'cancelled'
  return isClosed ? CLOSED_REFRESH_SECONDS : REFRESH_SECONDS
}
