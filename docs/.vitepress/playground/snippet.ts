/** The code for each stack, with the attributes and the theme that are on screen. */
import {attributesOf} from './attributes.js'
import {angular, next, react, svelte, vue} from './framework-snippets.js'
import {indent, markup} from './markup.js'
import type {PlaygroundState, Stack} from './state.js'
import {themeCss} from './theme-css.js'

export interface SnippetFile {
  readonly name: string
  readonly code: string
}

export const stackNames: Readonly<Record<Stack, string>> = {
  html: 'Script tag',
  react: 'React',
  next: 'Next.js',
  vue: 'Vue',
  svelte: 'Svelte',
  angular: 'Angular',
}

/** The visitor replaces it with the id of a charge. */
export const CHARGE_ID = 'the charge your server created'

/** The component or page first. A style sheet only if the theme or the width differs from the defaults. */
export function snippetOf(state: PlaygroundState): SnippetFile[] {
  const css = themeCss(state)
  const snippet = {attributes: attributesOf(state), modal: state.modal, hasCss: css !== ''}
  switch (state.stack) {
    case 'html':
      return page(state, css)
    case 'react':
      return [react(snippet), ...styleSheet(css)]
    case 'next':
      return [next(snippet), ...styleSheet(css, 'app/')]
    case 'vue':
      return [vue(snippet), ...styleSheet(css)]
    case 'svelte':
      return [svelte(snippet), ...styleSheet(css)]
    case 'angular':
      return [angular(snippet), ...styleSheet(css)]
  }
}

function styleSheet(code: string, folder = ''): SnippetFile[] {
  return code ? [{name: `${folder}checkout.css`, code}] : []
}

/** Files of their own, so that they also work under a strict Content-Security-Policy. */
function page(state: PlaygroundState, theme: string): SnippetFile[] {
  const {modal} = state
  const element = markup('crypto-checkout', {'charge-id': CHARGE_ID, ...attributesOf(state)}, [
    ...(modal ? [] : ['<p>Loading the payment…</p>']),
  ])
  const button = modal ? ['<button type="button" id="pay">Pay with crypto</button>'] : []
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Pay</title>
    <link rel="stylesheet" href="/checkout.css" />
    <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
${modal ? '    <script type="module" src="/checkout.js"></script>\n' : ''}  </head>
  <body>
${indent([...button, element].join('\n'), 4)}
  </body>
</html>
`
  return [
    {name: 'index.html', code: html},
    {
      name: 'checkout.css',
      code: `${modal ? hiddenUntilDefined : heightUntilDefined}${theme && '\n'}${theme}`,
    },
    ...(modal ? [{name: 'checkout.js', code: openOnClick}] : []),
  ]
}

/** As high as the checkout, so that the page does not move when it appears. */
const heightUntilDefined = `crypto-checkout:not(:defined) {
  display: flow-root;
  min-height: 41.5em;
}
`
const hiddenUntilDefined = `crypto-checkout:not(:defined) {
  display: none;
}
`
const openOnClick = `document.querySelector('#pay').addEventListener('click', () => {
  document.querySelector('crypto-checkout').show()
})
`
