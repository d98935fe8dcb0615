/** Files beside the pages: Storybook, descriptions that programs read, and the text of all pages for coding assistants. */
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {SiteConfig} from 'vitepress'
import {applyStorybookPolicy} from './policy.js'
import {securityTxt} from './security-txt.js'
import {sidebar} from './sidebar.js'

/** Where the site is published. The default is a name that nobody can register (RFC 2606). */
const origin = process.env['SITE_ORIGIN'] ?? 'https://crypto-checkout.example'

/** Pages that consist of components. */
const composed = new Set(['index.md'])

export function copyFiles({outDir, pages, rewrites}: SiteConfig): void {
  // `npm run docs:build` makes these before the site.
  cpSync('storybook-static', join(outDir, 'storybook'), {recursive: true})
  for (const page of ['index.html', 'iframe.html'])
    write(
      join(outDir, 'storybook', page),
      applyStorybookPolicy(readFileSync(join('storybook-static', page), 'utf8')),
    )
  cpSync('dist/custom-elements.json', join(outDir, 'custom-elements.json'))

  const sources = new Map(
    ['README.md', ...pages]
      .map(page => [rewrites.map[page] ?? page, readFileSync(page, 'utf8')] as const)
      .filter(([path]) => !composed.has(path)),
  )
  for (const [path, text] of sources) write(join(outDir, path), text)

  write(join(outDir, '.well-known/security.txt'), securityTxt(origin, new Date()))

  const index = readFileSync('llms.txt', 'utf8').replaceAll('](docs/', '](')
  write(join(outDir, 'llms.txt'), index)
  write(join(outDir, 'llms-full.txt'), [index, ...inReadingOrder(sources)].join('\n\n'))
}

/** The pages for users of the package, without those about the project. */
function* inReadingOrder(sources: ReadonlyMap<string, string>): Iterable<string> {
  for (const {text, items = []} of sidebar)
    if (text !== 'Project')
      for (const {link = ''} of items) {
        const path = `${link.slice(1)}.md`
        const source = sources.get(path)
        if (source) yield `<!-- ${path} -->\n\n${source}`
      }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), {recursive: true})
  writeFileSync(file, text)
}
