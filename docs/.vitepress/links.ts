/**
 * Links of the pages are paths in the repository, so that they also work there. On the site, a link to a page becomes its
 * URL, a link to a folder that of its README, and any other file is served as text below `/source/`.
 */
import {existsSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import type {MarkdownRenderer, Plugin} from 'vitepress'

const root = resolve(import.meta.dirname, '../..')
const served = new Set<string>()

/** The path on the site of a page of the repository. */
export function pagePath(page: string): string {
  if (page === 'demo/README.md') return 'demo.md'
  if (page === 'examples/README.md') return 'examples.md'
  // `security` is that of docs/.
  if (page === 'SECURITY.md') return 'reporting.md'
  const inDocs = page.startsWith('docs/') ? page.slice('docs/'.length) : page.toLowerCase()
  return inDocs.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Rewrites each link of a page, unless it is external or inside the page. */
export function linkSources(md: MarkdownRenderer): void {
  const render = md.renderer.rules.link_open
  md.renderer.rules.link_open = (tokens, index, options, env: {realPath?: string; path?: string}, self) => {
    const token = tokens[index]
    const href = token?.attrGet('href')
    const page = env.realPath ?? env.path
    if (token && page && href && !/^([a-z]+:|[#/])/.test(href)) {
      const [path = '', hash] = href.split('#')
      const url = siteUrl(resolve(dirname(page), decodeURI(path)))
      token.attrSet('href', hash === undefined ? url : `${url}#${hash}`)
    }
    return render?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options)
  }
}

function siteUrl(file: string): string {
  const path = relative(root, file)
  if (!existsSync(file)) throw new Error(`a page links to ${path}, which does not exist`)
  if (statSync(file).isDirectory()) return siteUrl(readmeOf(file))
  if (path.endsWith('.md')) return `/${pagePath(path).replace(/(^|\/)index\.md$|\.md$/, '$1')}`
  served.add(path)
  return encodeURI(`/source/${path}.txt`)
}

function readmeOf(folder: string): string {
  const file = join(folder, 'README.md')
  return existsSync(file) ? file : readmeOf(dirname(folder))
}

/** Serves the linked files: `.txt`, since hosts take `.ts` for a video. */
export function serveSources(): Plugin {
  return {
    name: 'serve-sources',
    configureServer({middlewares}) {
      middlewares.use('/source', (request, response, next) => {
        const path = decodeURI(request.url ?? '').replace(/^\/(.*)\.txt$/, '$1')
        if (!served.has(path)) return next()
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(readFileSync(join(root, path)))
      })
    },
    generateBundle() {
      for (const path of served)
        this.emitFile({
          type: 'asset',
          fileName: `source/${path}.txt`,
          source: readFileSync(join(root, path)),
        })
    },
  }
}
