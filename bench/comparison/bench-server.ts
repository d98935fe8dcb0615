/**
 * Serves the pages of the contenders and everything that they load, compressed and cacheable. All of it comes from a real
 * server, because the browser does not slow down requests that are answered for it.
 */
import {once} from 'node:events'
import {createServer} from 'node:http'
import {extname} from 'node:path'
import {gzipSync} from 'node:zlib'
import type {Contender} from './contenders.js'
import {pageScript} from './page-script.js'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export interface BenchServer {
  /** `page`: the merchant's page, one with the script only, or one without. */
  url(contender: Contender, page?: 'index.html' | 'mounts.html' | 'empty.html'): string
  /** Bytes (gzip -9) of the contender's files that were requested since the last call. */
  takeRequestedBytes(contender: Contender): number
  close(): void
}

export async function serveContenders(contenders: readonly Contender[]): Promise<BenchServer> {
  const folders = contenders.map(filesOf)
  let requested = new Set<string>()
  const server = createServer((req, res) => {
    const [, folder = '', ...rest] = new URL(req.url ?? '/', 'http://bench').pathname.split('/')
    const name = rest.join('/')
    const content = folders[Number(folder)]?.get(name)
    if (!content) return void res.writeHead(404).end()
    const isFile = contenders[Number(folder)]?.files.has(name)
    if (isFile) requested.add(name)
    const type = types[extname(name)] ?? 'application/json'
    res
      .writeHead(200, {
        'content-type': type,
        'content-encoding': 'gzip',
        'cache-control': isFile ? 'max-age=31536000, immutable' : 'no-store',
      })
      .end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    url: (contender, page = 'index.html') => `${origin}/${contenders.indexOf(contender)}/${page}`,
    takeRequestedBytes(contender) {
      const files = folders[contenders.indexOf(contender)]
      const bytes = [...requested].reduce((sum, name) => sum + (files?.get(name)?.byteLength ?? 0), 0)
      requested = new Set()
      return bytes
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function filesOf(contender: Contender): ReadonlyMap<string, Buffer> {
  const {entry, html, files, responses = new Map<string, string>()} = contender
  const links = [...files.keys()]
    .filter(name => name.endsWith('.css'))
    .map(name => `<link rel="stylesheet" href="${name}">`)
    .join('')
  const wait = `bench.shown = bench.show(${JSON.stringify(contender.usable)})`
  const pages = {
    'index.html': page(
      contender,
      links,
      `<script>bench.tag = performance.mark('bench:tag').startTime; ${wait}</script>${html}`,
    ),
    'mounts.html': page(
      contender,
      links,
      `<script type="module" src="${entry}"></script><main id="mounts"></main>`,
    ),
    'empty.html': page(contender, '', ''),
  }
  const all = [...files, ...responses, ...Object.entries(pages)]
  return new Map(all.map(([name, content]) => [name, gzipSync(content, {level: 9})]))
}

function page({mount}: Contender, links: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${links}
    <script>${pageScript}${mount}</script><body>${body}</body></html>`
}
