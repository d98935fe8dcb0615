/**
 * The policy of each page, as a meta tag, since hosts of static files often set no headers. Inline scripts are allowed by
 * their hashes.
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
  return withPolicy(page.replace(' style="--vp-vh:0px;"', ''), directives)
}

/** Storybook writes style elements while it runs. */
export function applyStorybookPolicy(page: string): string {
  return withPolicy(page, {...directives, 'style-src': "'self' 'unsafe-inline'"})
}

/** Before everything else in the head, because a policy applies to what follows it. */
function withPolicy(html: string, directives: Readonly<Record<string, string>>): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g)]
  const hashes = inline.map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  const policy = Object.entries({...directives, 'script-src': ["'self'", ...hashes].join(' ')})
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return html
    .replace(/<meta charset="utf-8"( \/)?>/, '')
    .replace(
      '<head>',
      `$&\n    <meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
}
