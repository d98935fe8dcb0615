/**
 * A page with the element, to send as a link. It is the same for every charge: it is made without a read of the store or of
 * the service, so that the preview of a link in a chat opens nothing and shows no amount.
 */
import {sha256} from '@noble/hashes/sha2.js'
import {utf8ToBytes} from '@noble/hashes/utils.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import {chargeIdFrom} from '../base/charge-id.js'
import {Markup, markup} from './markup.js'
import {pageScript, pageStyle} from './page-assets.js'
import {pageLanguage, type PageLanguage, type PageTexts} from './page-texts.js'
import {ENTRY_FILE} from './script-files.js'

/** URLs are absolute, or paths that start with a slash. */
export interface HostedPageOptions {
  /** The name of the shop, as customers know it. */
  name: string
  /** The URL of an image, shown 40 px high. */
  logo?: string | undefined
  /** Where customers get help: https, `mailto:` or `tel:`. */
  supportUrl?: string | undefined
  /** The URL of a style sheet that sets `--checkout-*` properties, and the styles of the page. */
  stylesheet?: string | undefined
  /** The origin of the links that `payUrl` returns, such as `https://shop.example`. Without it, they start with the path. */
  origin?: string | undefined
}

const hashOf = (text: string) => `'sha256-${btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))}'`
const scriptHash = hashOf(pageScript)
const styleHash = hashOf(pageStyle)

/** Returns 404 for an invalid id. Makes no other check: the element shows what the proxy knows about the charge. */
export function hostedPageReply(
  options: HostedPageOptions,
  segment: string,
  {headers}: HttpRequest,
): HttpReply {
  const language = pageLanguage(headers['accept-language'])
  const chargeId = chargeIdFrom(segment)
  return {
    status: chargeId === undefined ? 404 : 200,
    headers: {
      'content-security-policy': contentPolicy(options, headers['host'] ?? ''),
      'content-type': 'text/html; charset=utf-8',
      // A wallet may open a window.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      vary: 'Accept-Language',
    },
    body: page(options, language, chargeId).text,
  }
}

/** Relative URLs, because a router may be mounted below a path. */
function page(
  {name, logo, supportUrl, stylesheet, origin}: HostedPageOptions,
  {tag, preferred, direction, texts}: PageLanguage,
  chargeId: string | undefined,
): Markup {
  const image = logo !== undefined && URL.canParse(logo, origin) ? new URL(logo, origin).href : undefined
  return markup`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${name} · ${texts.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<meta name="description" content="${texts.title}">
<meta property="og:type" content="website">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${texts.title}">
${image === undefined ? undefined : markup`<meta property="og:image" content="${image}">`}
<link rel="icon" href="${logo ?? 'data:,'}">
<style>${new Markup(pageStyle)}</style>
${stylesheet === undefined ? undefined : markup`<link rel="stylesheet" href="${stylesheet}">`}
${chargeId === undefined ? undefined : markup`<script type="module" src="../${ENTRY_FILE}"></script>`}
</head>
<body>
<div class="shop">${logo === undefined ? undefined : markup`<img src="${logo}" alt="">`}<p>${name}</p></div>
<main>
${chargeId === undefined ? markup`<h1>${texts.invalid}</h1>` : checkout(chargeId, preferred, texts)}
</main>
${supportUrl === undefined ? undefined : markup`<footer><a href="${supportUrl}">${texts.contact}</a></footer>`}
</body>
</html>
`
}

/** The hint in the element is for a script that does not load. */
function checkout(chargeId: string, locale = '', {hint}: PageTexts): Markup {
  return markup`<crypto-checkout charge-id="${chargeId}" endpoint=".." locale="${locale}">
<p>…</p>
<p class="hint">${hint}</p>
</crypto-checkout>
<noscript><p>${hint}</p></noscript>
<script>${new Markup(pageScript)}</script>`
}

/** The style sheet and the logo are allowed exactly, and fonts of the host of the style sheet. */
function contentPolicy({logo, stylesheet}: HostedPageOptions, host: string): string {
  const source = (url: string | undefined) => (url === undefined ? [] : [sourceOf(url, host)])
  const directives: readonly (readonly string[])[] = [
    ['default-src', "'none'"],
    ['script-src', "'self'", scriptHash],
    ['connect-src', "'self'"],
    ['style-src', styleHash, ...source(stylesheet)],
    // The icons of wallets are `data:` URLs.
    ['img-src', 'data:', ...source(logo)],
    ...(stylesheet === undefined ? [] : [['font-src', originOf(stylesheet)]]),
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['frame-ancestors', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', 'lit-html'],
  ]
  return directives.map(directive => directive.join(' ')).join('; ')
}

/** A source without query (CSP level 3, section 2.3.1). `;` and `,` would end the directive. */
function sourceOf(url: string, host: string): string {
  const isPath = url.startsWith('/')
  // A host without a scheme means the scheme of the page. A policy cannot name an IPv6 address.
  if (isPath && !/^[\w.-]+(:\d+)?$/.test(host)) return "'self'"
  const {origin, pathname} = new URL(url, 'http://path.invalid')
  return ((isPath ? host : origin) + pathname).replaceAll(';', '%3B').replaceAll(',', '%2C')
}

function originOf(url: string): string {
  return url.startsWith('/') ? "'self'" : new URL(url).origin
}
