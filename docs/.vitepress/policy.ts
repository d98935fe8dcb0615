/**
 * The policy of each page, as a meta tag, since hosts of static files often set no headers. VitePress has two small inline
 * scripts, which are allowed by their hashes.
 */
import {createHash} from 'node:crypto'

const directives = {
  'default-src': "'none'",
  'style-src': "'self'",
  // `data:`: the icons of the theme.
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

export function applyPolicy(page: string): string {
  // Vue sets this one again when it starts.
  const html = page.replace(' style="--vp-vh:0px;"', '')
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)]
  const hashes = inline.map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  const policy = Object.entries({...directives, 'script-src': ["'self'", ...hashes].join(' ')})
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return html.replace(
    '<meta charset="utf-8">',
    `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
}
