/** The options of the pages. */
import * as z from 'zod/mini'
import {isFunction, isOrigin, isSafeUrl, parser, text} from '../contract/option-parser.js'
import type {HostedPageOptions} from './document.js'
import type {Renderer} from './renderer.js'
import type {ScriptFiles} from './script-files.js'

export interface PagesOptions {
  /** `{name, logo, supportUrl, stylesheet, origin}`: serves a page with the checkout, to send as a link. Default: none. */
  hostedPage?: HostedPageOptions | undefined
  /**
   * `renderer` of `crypto-checkout/render`: the HTML of `render` contains the list of assets, and `hostedPage` has a page for
   * browsers without JavaScript. Default: none.
   */
  renderer?: Renderer | undefined
  /** The script-tag build, which is served below `basePath`. */
  scripts?: ScriptFiles | undefined
}

const httpsOrigin = 'must be an exact origin with https, such as https://shop.example'
const isHttpsOrigin = (text: string) => isOrigin(text) && isSafeUrl(new URL(text))

const isPath = (text: string) => /^\/(?!\/)/.test(text)
const isUrl = (text: string) => isPath(text) || (URL.canParse(text) && isSafeUrl(new URL(text)))
const isContact = (text: string) => isUrl(text) || /^(mailto|tel):./.test(text)

/** No white space or backslash, which URL parsers remove or change. */
const checkedUrl = (message: string, isAllowed: (text: string) => boolean) =>
  z.optional(text(message, /^[^\s\\]{1,2000}$/).check(z.refine(isAllowed, message)))

const resource = checkedUrl('must be an https URL, or a path that starts with a slash', isUrl)

export const hostedPage = z.strictObject(
  {
    name: text('must be the name of the shop, of up to 100 characters', /^(?=.*\S)[^\p{Cc}]{1,100}$/u),
    logo: resource,
    supportUrl: checkedUrl('must be an https URL, a path, mailto: or tel:', isContact),
    stylesheet: resource,
    origin: z.optional(z.string(httpsOrigin).check(z.refine(isHttpsOrigin, httpsOrigin))),
  },
  'must be an object with name',
)

/** The options of the pages that a merchant sets. */
export const pageOptions = {
  hostedPage: z.optional(hostedPage),
  renderer: z.optional(
    z.custom<Renderer>(
      value => isFunction(value) && 'formView' in value,
      "must be renderer of 'crypto-checkout/render'",
    ),
  ),
}

export const parsePagesOptions = parser(
  z.strictObject({
    ...pageOptions,
    scripts: z.optional(z.custom<ScriptFiles>(value => value instanceof Map)),
  }),
  {hostedPage},
)
