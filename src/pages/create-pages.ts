/** The pages of a proxy: their routes, and the functions with which a merchant shows or links them. */
import {requireChargeId} from '../contract/charge-id.js'
import {ConfigurationError} from '../contract/errors.js'
import {render, type RenderOptions} from './element-markup.js'
import {firstView, type FirstViewContext} from './first-view.js'
import {hostedPageReply} from './hosted-page.js'
import {parsePagesOptions, type PagesOptions} from './options.js'
import type {PageRoute} from './page-route.js'
import {plainRoutes} from './plain/plain-routes.js'
import {scriptReply} from './script-files.js'

export interface Pages {
  readonly routes: readonly PageRoute[]
  functions(checkout: PagesCheckout): PageFunctions
}

/** What the functions need of the proxy. */
export interface PagesCheckout extends FirstViewContext {
  readonly basePath: string
  createToken(chargeId: string, options: {expiresIn?: number}): string
}

export interface PageFunctions {
  /**
   * The link of the hosted page, or with `plain` of the plain page, which needs `renderer`. With `tokenSecret` it has a client
   * token: `expiresIn` is in seconds, by default one day. Needs `hostedPage`; without its `origin`, the link is a path.
   */
  payUrl(chargeId: string, options?: {expiresIn?: number; plain?: boolean}): string
  /**
   * HTML for a page of yours: the script tag, and the element with a placeholder of its height. With the option `renderer`,
   * it opens the charge, and the HTML has the list of assets; if that fails or takes longer than `timeout`, the placeholder.
   */
  render(chargeId: string, options?: RenderOptions): Promise<string>
}

const READ = ['GET', 'HEAD']
const NO_RENDERER =
  "the page without JavaScript needs the option renderer: import {renderer} from 'crypto-checkout/render'"
const NO_FILES =
  "hostedPage needs the files of the script tag, which a bundle does not have: import {files} from 'crypto-checkout/files' and pass files"

/**
 * Throws `ConfigurationError` when an option is not valid.
 *
 * @param hasTokens whether the proxy requires client tokens
 */
export function createPages(options: PagesOptions, hasTokens: boolean): Pages {
  const {hostedPage, renderer, scripts} = parsePagesOptions(options)
  if (hostedPage && !scripts) throw new ConfigurationError(NO_FILES)
  const routes: PageRoute[] = Array.from(scripts ?? [], ([name, file]) => ({
    kind: 'script',
    methods: READ,
    path: `/${name}`,
    handle: request => scriptReply(name, file, request),
  }))
  if (hostedPage && renderer) routes.push(...plainRoutes({...hostedPage, renderer, hasTokens}))
  if (hostedPage)
    routes.push({
      kind: 'page',
      methods: READ,
      path: /^\/pay(?![^/])\/?([^]*)$/,
      handle: (request, _, [segment = '']) =>
        hostedPageReply(hostedPage, segment, request, renderer !== undefined && !hasTokens),
    })

  return {
    routes,
    functions: checkout => ({
      payUrl(chargeId, {plain = false, ...tokenOptions} = {}) {
        if (!hostedPage) throw new ConfigurationError('payUrl needs the option hostedPage')
        if (plain && !renderer) throw new ConfigurationError(NO_RENDERER)
        const page = `${hostedPage.origin ?? ''}${checkout.basePath}/pay/${requireChargeId(chargeId)}`
        const url = plain ? `${page}/plain` : page
        if (!hasTokens) return url
        return `${url}${plain ? '/' : '#token='}${checkout.createToken(chargeId, tokenOptions)}`
      },
      render: async (chargeId, renderOptions = {}) =>
        render(
          requireChargeId(chargeId),
          checkout.basePath,
          renderOptions,
          async language => renderer && firstView(checkout, renderer, chargeId, language),
        ),
    }),
  }
}
