/** The proxy with its pages. Tests use it on any runtime. */
import {createPages, type PageFunctions} from '../pages/create-pages.js'
import type {PagesOptions} from '../pages/options.js'
import {createCheckoutCore, type CheckoutCore} from '../server/create-checkout.js'
import type {CheckoutCoreOptions} from '../server/options.js'

export type CheckoutWithPagesOptions = Omit<CheckoutCoreOptions, 'pages'> & PagesOptions
export type CheckoutWithPages = CheckoutCore & PageFunctions

export function createCheckoutWithPages(options: CheckoutWithPagesOptions): CheckoutWithPages {
  const {hostedPage, renderer, scripts, ...coreOptions} = options
  const pages = createPages({hostedPage, renderer, scripts}, coreOptions.tokenSecret !== undefined)
  const core = createCheckoutCore({...coreOptions, pages: pages.routes})
  return {...core, ...pages.functions(core)}
}
