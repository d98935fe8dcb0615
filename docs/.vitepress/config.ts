/**
 * The documentation site: `docs/`, and the pages of the root that it links to. `npm run docs` serves it, and
 * `npm run docs:build` writes it to `docs/.vitepress/dist`. Scripts of the site import the source of the package, so that
 * the element, the proxy and the sandbox run in the page: see `theme/`.
 */
import {defineConfig} from 'vitepress'
import {classes, codeTheme} from './code-theme.js'
import {copyFiles} from './files.js'
import {linkSources, pagePath, serveSources} from './links.js'
import {applyPolicy} from './policy.js'
import {sidebar} from './sidebar.js'
import {adaptTables} from './tables.js'

export default defineConfig({
  title: 'crypto-checkout',
  description:
    'Take a crypto payment on any web page: a custom element, and a Node module that keeps the api-key.',
  lang: 'en',
  head: [['link', {rel: 'icon', href: 'data:,'}]],
  // Hosts of static files serve `element.html` as `/element`.
  cleanUrls: true,
  // The root, because pages there are part of the site.
  srcDir: '..',
  srcExclude: [
    'README.md',
    '{bench,coverage,integrations,reports,scripts,src,stories,test}/**',
    'examples/*/**',
  ],
  rewrites: pagePath,
  // The defaults of both write styles into the page, which its policy does not allow.
  appearance: {disableTransition: false},
  contentProps: {class: 'content-root'},
  markdown: {
    config(md) {
      linkSources(md)
      adaptTables(md)
    },
    theme: codeTheme,
    codeTransformers: [classes],
    // As in the repository, so that a link to a heading works in both.
    anchor: {slugify: headingId},
  },
  themeConfig: {
    search: {
      provider: 'local',
      // Otherwise sections of other pages come before the page with the title.
      options: {
        miniSearch: {searchOptions: {fuzzy: 0.2, prefix: true, boost: {title: 20, text: 1, titles: 1}}},
      },
    },
    nav: [
      {text: 'Quick start', link: '/quick-start'},
      {text: 'Element', link: '/element'},
      {text: 'Server', link: '/server'},
      {text: 'States', link: '/storybook/', target: '_self'},
    ],
    sidebar,
    outline: [2, 3],
    notFound: {
      title: 'This page does not exist',
      quote: 'The address may be old or mistyped. The search finds pages by their titles.',
      linkText: 'Go to the home page',
      linkLabel: 'Go to the home page',
    },
  },
  transformHtml: applyPolicy,
  buildEnd: copyFiles,
  vite: {
    // The configuration of the package's own build, in the root, is not the site's.
    configFile: false,
    plugins: [serveSources()],
    build: {chunkSizeWarningLimit: Infinity},
  },
})

function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
    .replaceAll(/\s/g, '-')
}
