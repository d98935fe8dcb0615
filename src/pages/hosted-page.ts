/**
 * A page with the element, to send as a link. It is the same for every charge: it is made without a read of the store or of
 * the service, so that the preview of a link in a chat opens nothing and shows no amount.
 */
import type {HttpReply, HttpRequest} from '../http/index.js'
import {chargeIdFrom} from '../contract/charge-id.js'
import {hashOf, pageReply, styleSheet, type HostedPageOptions} from './document.js'
import {Markup, markup} from './markup.js'
import {elementStyle, pageScript, pageStyle} from './page-assets.js'
import {pageLanguage, type PageTexts} from './page-texts.js'
import {ENTRY_FILE} from './script-files.js'

const scriptHash = hashOf(pageScript)
const style = styleSheet(pageStyle + elementStyle)

/**
 * Returns 404 for an invalid id. Makes no other check: the element shows what the proxy knows about the charge.
 *
 * @param linksPlain whether to link the page without a script. It may need a client token, which this page's URL does not
 *   have for servers.
 */
export function hostedPageReply(
  options: HostedPageOptions,
  segment: string,
  {headers, path}: HttpRequest,
  linksPlain: boolean,
): HttpReply {
  const {tag, preferred, direction, texts} = pageLanguage(headers['accept-language'])
  const chargeId = chargeIdFrom(segment)
  const {name, logo = '', origin} = options
  // Some hosts add a slash to every path.
  const folder = path.endsWith('/') ? '../' : ''
  const image = logo && URL.canParse(logo, origin) ? new URL(logo, origin).href : undefined
  return pageReply(options, headers, {
    status: chargeId === undefined ? 404 : 200,
    tag,
    direction,
    title: texts.title,
    style,
    head: markup`<meta name="description" content="${texts.title}">
<meta property="og:type" content="website">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${texts.title}">
${image === undefined ? undefined : markup`<meta property="og:image" content="${image}">`}
${chargeId === undefined ? undefined : markup`<script type="module" src="${folder}../${ENTRY_FILE}"></script>`}`,
    main:
      chargeId === undefined
        ? markup`<h2>${texts.invalid}</h2>`
        : checkout(chargeId, preferred, texts, {folder, linksPlain}),
    headers: {
      // A wallet may open a window.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'no-referrer',
    },
    policy: [
      `script-src 'self' ${scriptHash}`,
      "connect-src 'self'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ],
  })
}

/** The hint in the element is for a script that does not load. URLs are relative, because a router may be mounted below a path. */
function checkout(
  chargeId: string,
  locale = '',
  {title, hint}: PageTexts,
  {folder, linksPlain}: {folder: string; linksPlain: boolean},
): Markup {
  const withoutScript = linksPlain
    ? markup`<a class="button" href="${folder}${chargeId}/plain">${title}</a>`
    : markup`<p>${hint}</p>`
  return markup`<crypto-checkout charge-id="${chargeId}" endpoint="${folder}.." locale="${locale}">
<p>…</p>
<p class="hint">${hint}</p>
</crypto-checkout>
<noscript>${withoutScript}</noscript>
<script>${new Markup(pageScript)}</script>`
}
