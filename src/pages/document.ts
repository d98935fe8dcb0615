/** What the pages of the proxy share: the head, the shop's name, the contact, and a strict policy. */
import {sha256} from '@noble/hashes/sha2.js'
import {utf8ToBytes} from '@noble/hashes/utils.js'
import type {HttpReply} from '../http/index.js'
import {Markup, markup} from './markup.js'
import {pageLanguage} from './page-texts.js'

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

export interface PageContent {
  readonly status: number
  /** A BCP 47 tag. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** Follows the name of the shop. */
  readonly title: string
  readonly style: StyleSheet
  readonly head: Markup
  readonly main: Markup
  readonly headers: Readonly<Record<string, string>>
  /** Directives beside those for styles and images. */
  readonly policy: readonly string[]
}

export interface StyleSheet {
  readonly text: string
  /** A source of a policy. */
  readonly hash: string
}

export function styleSheet(text: string): StyleSheet {
  return {text, hash: hashOf(text)}
}

/** For a script or a style in the page. */
export function hashOf(text: string): string {
  return `'sha256-${btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))}'`
}

export function pageReply(
  options: HostedPageOptions,
  requestHeaders: Readonly<Record<string, string>>,
  content: PageContent,
): HttpReply {
  return {
    status: content.status,
    headers: {
      'content-security-policy': contentPolicy(options, requestHeaders['host'] ?? '', content),
      'content-type': 'text/html; charset=utf-8',
      // Proxies that rewrite pages add scripts, which the policy blocks, such as for addresses of e-mail.
      'cache-control': 'no-store, no-transform',
      'x-robots-tag': 'noindex, nofollow',
      vary: 'Accept-Language',
      ...content.headers,
    },
    body: page(options, content, pageLanguage(requestHeaders['accept-language'])).text,
  }
}

/** The contact is in fewer languages than the plain page. */
function page(
  {name, logo, supportUrl, stylesheet}: HostedPageOptions,
  {tag, direction, title, style, head, main}: PageContent,
  contact: ReturnType<typeof pageLanguage>,
): Markup {
  return markup`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${name} · ${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
${head}
<link rel="icon" href="${logo ?? 'data:,'}">
<style>${new Markup(style.text)}</style>
${stylesheet === undefined ? undefined : markup`<link rel="stylesheet" href="${stylesheet}">`}
</head>
<body>
<header class="shop">${logo === undefined ? undefined : markup`<img src="${logo}" alt="">`}<h1>${name}</h1></header>
<main>
${main}
</main>
${
  supportUrl === undefined
    ? undefined
    : markup`<footer><a href="${supportUrl}" lang="${contact.tag}">${contact.texts.contact}</a></footer>`
}
</body>
</html>
`
}

/** The style sheet and the logo are allowed exactly, and fonts of the host of the style sheet. */
function contentPolicy(
  {logo, stylesheet}: HostedPageOptions,
  host: string,
  {style, policy}: PageContent,
): string {
  const source = (url: string | undefined) => (url === undefined ? '' : ` ${sourceOf(url, host)}`)
  return [
    "default-src 'none'",
    ...policy,
    `style-src ${style.hash}${source(stylesheet)}`,
    // The icons of wallets are `data:` URLs.
    `img-src data:${source(logo)}`,
    ...(stylesheet === undefined ? [] : [`font-src ${originOf(stylesheet)}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
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
