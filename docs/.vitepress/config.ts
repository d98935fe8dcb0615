/**
 * The documentation site: `docs/`, and the pages of the root that it links to. `npm run docs` serves it, and
 * `npm run docs:build` writes it to `docs/.vitepress/dist`. Scripts of the site import the source of the package, so that
 * the element, the proxy and the sandbox run in the page: see `theme/`.
 */
import {cpSync, existsSync} from 'node:fs'
import {join} from 'node:path'
import {defineConfig, type SiteConfig} from 'vitepress'
import {linkSources, pagePath, serveSources} from './links.js'
import {sidebar} from './sidebar.js'

export default defineConfig({
  title: 'crypto-checkout',
  description:
    'Take a crypto payment on any web page: a custom element, and a Node module that keeps the api-key.',
  lang: 'en',
  cleanUrls: true,
  // The root, because pages there are part of the site, and pages include files of `demo/`.
  srcDir: '..',
  srcExclude: ['README.md', '{bench,coverage,reports,scripts,src,stories,test}/**', 'demo/*/**'],
  rewrites: pagePath,
  markdown: {config: linkSources},
  themeConfig: {
    search: {provider: 'local'},
    nav: [
      {text: 'Quick start', link: '/quick-start'},
      ...(existsSync('docs/playground.md') ? [{text: 'Playground', link: '/playground'}] : []),
    ],
    sidebar,
    outline: [2, 3],
  },
  buildEnd: addStorybook,
  vite: {
    // The configuration of the package's own build, in the root, is not the site's.
    configFile: false,
    plugins: [serveSources()],
    build: {chunkSizeWarningLimit: Infinity},
  },
})

/** `npm run docs:build` builds Storybook before the site. */
function addStorybook({outDir}: SiteConfig): void {
  cpSync('storybook-static', join(outDir, 'storybook'), {recursive: true})
}
