/** The script tag and the element, for a page of the merchant: with a placeholder, or with the first view. */
import * as z from 'zod/mini'
import {parser, text} from '../contract/option-parser.js'
import type {FullLanguage} from '../translations/translation.js'
import {fullLanguage} from './full-language.js'
import {Markup, markup} from './markup.js'
import {pageLanguage} from './page-texts.js'
import type {RenderedCheckout} from './renderer.js'
import {ENTRY_FILE} from './script-files.js'

/** Those of the element, as in markup, and `class` and `id`. True is an attribute without a value; false is none. */
export interface RenderAttributes {
  endpoint?: string | undefined
  token?: string | undefined
  asset?: string | undefined
  network?: string | undefined
  locale?: string | undefined
  theme?: 'auto' | 'light' | 'dark' | undefined
  qr?: 'address' | 'request' | undefined
  logos?: 'bundled' | 'remote' | 'none' | undefined
  wallets?: 'auto' | 'none' | undefined
  'auto-redirect'?: boolean | undefined
  forget?: boolean | undefined
  modal?: boolean | undefined
  open?: boolean | undefined
  class?: string | undefined
  id?: string | undefined
}

export interface RenderOptions {
  attributes?: RenderAttributes | undefined
  /** The customer's language, as a BCP 47 tag or an `Accept-Language`. Default: English until the element chooses. */
  locale?: string | undefined
  /** Of a policy for styles and scripts. */
  nonce?: string | undefined
}

const anyText = z.optional(z.string('must be text'))
const flag = z.optional(z.boolean('must be true or false'))
const oneOf = <const Name extends string>(...names: Name[]) =>
  z.optional(z.enum(names, `must be ${names.join(' or ')}`))

const attributes = z.strictObject(
  {
    endpoint: anyText,
    token: anyText,
    asset: anyText,
    network: anyText,
    locale: anyText,
    theme: oneOf('auto', 'light', 'dark'),
    qr: oneOf('address', 'request'),
    logos: oneOf('bundled', 'remote', 'none'),
    wallets: oneOf('auto', 'none'),
    'auto-redirect': flag,
    forget: flag,
    modal: flag,
    open: flag,
    class: anyText,
    id: anyText,
  },
  'must be an object',
)

const parseOptions = parser(
  z.strictObject({
    attributes: z._default(attributes, {}),
    locale: anyText,
    nonce: z.optional(text('must be a nonce, in base64', /^[\w+/=-]{1,200}$/)),
  }),
  {attributes},
)

/** Reserves the height of the checkout. The hint is for a script that does not load. */
const PLACEHOLDER_STYLE =
  'crypto-checkout:not(:defined){display:flow-root;min-block-size:43.5em}' +
  'crypto-checkout:is([modal],[hidden]):not(:defined){display:none}' +
  'crypto-checkout:not(:defined) .late{animation:checkout-hint 0s 8s forwards;visibility:hidden}' +
  '@keyframes checkout-hint{to{visibility:visible}}'

/**
 * The hint takes no space before it is shown, because the element removes it. Browsers paint a page while it loads: the view
 * appears only when all of it has loaded, so that nothing in it moves.
 */
const LATE_STYLE =
  '[part=base]:not(:has(+i)){visibility:hidden}' +
  '.late{animation:checkout-hint 0s 8s forwards;block-size:0;margin:0;visibility:hidden}' +
  '@keyframes checkout-hint{to{block-size:auto;visibility:visible}}'

/** Keeps the last click on a control, also by a key, until the element repeats it: `src/element/server-view.ts`. */
const KEEP_CLICK =
  '{let e=document.currentScript.parentNode;e.shadowRoot?.addEventListener("click",c=>{' +
  'let b=c.target.closest("button");if(b)e.lastClick=[b,c]})}'

/**
 * Throws `ConfigurationError` for options that are not valid.
 *
 * @param open resolves to the first view, if there is one
 */
export async function render(
  chargeId: string,
  basePath: string,
  options: RenderOptions,
  open: (language: FullLanguage) => Promise<RenderedCheckout | undefined>,
): Promise<string> {
  const {attributes, locale, nonce} = parseOptions(options)
  const accepted = attributes.locale ?? locale
  const language = await fullLanguage(accepted)
  const {tag} = language
  // The customer opens the dialog of a modal checkout, and with it the charge.
  const view = attributes.modal ? undefined : await open(language)
  const all = Object.entries({
    'charge-id': chargeId,
    ...(basePath !== '/crypto-checkout' && {endpoint: basePath || '/'}),
    ...(locale !== undefined && {locale: tag}),
    ...attributes,
  })
  const nonceAttribute = nonce === undefined ? undefined : markup` nonce="${nonce}"`
  const style = (text: string) => markup`<style${nonceAttribute}>${new Markup(text)}</style>`
  const script = markup`<script${nonceAttribute}>${new Markup(KEEP_CLICK)}</script>`
  const {texts, ...hint} = pageLanguage(accepted)
  const late = markup`<p class="late" lang="${hint.tag}" dir="${hint.direction}">${texts.hint}</p>`
  const loading = markup`<p lang="${tag}" dir="${language.direction}">${language.translation.status.loading}</p>`
  return markup`${view ? undefined : style(PLACEHOLDER_STYLE)}
<script type="module" src="${basePath}/${ENTRY_FILE}"${nonceAttribute}></script>
<crypto-checkout${all.map(attribute)}>
${view ? shadow(view, style, script, late) : markup`${loading}\n${late}`}
</crypto-checkout>`.text.trimStart()
}

/** For the shadow root, which the parser of the page makes, and the data for the element. */
function shadow(
  {style, html, json}: RenderedCheckout,
  styleTag: (text: string) => Markup,
  script: Markup,
  late: Markup,
): Markup {
  const data = markup`<script type="application/json">${new Markup(json ?? '')}</script>`
  return markup`<template shadowrootmode="open">${styleTag(LATE_STYLE + style)}${late}${new Markup(html)}<i></i></template>
${script}
${json === undefined ? undefined : data}`
}

function attribute([name, value]: readonly [string, string | boolean | undefined]): Markup {
  if (value === undefined || value === false) return markup``
  return value === true ? markup` ${name}` : markup` ${name}="${value}"`
}
