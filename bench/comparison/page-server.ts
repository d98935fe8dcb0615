/**
 * Serves the page of a contender and everything that it loads, compressed and cacheable. All of it comes from a real server,
 * because the browser does not slow down requests that are answered for it.
 */
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {gzipSync} from 'node:zlib'
import type {Contender} from './contenders.js'
import {pageScript} from './page-script.js'

export async function servePage({files, html, responses, list}: Contender) {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <script>${pageScript}</script><body>
    <script>bench.tag = performance.now(); bench.shown = bench.show('${list}')</script>${html}</body></html>`
  const all = [...files, ...responses, ['', page] as const]
  const contents = new Map(all.map(([name, content]) => [name, gzipSync(content, {level: 9})]))
  const server = createServer(({url = '/'}, res) => {
    const name = new URL(url, 'http://bench').pathname.slice(1)
    const content = contents.get(name)
    if (!content) return void res.writeHead(404).end()
    const isFile = files.has(name)
    const type = isFile ? 'text/javascript' : name ? 'application/json' : 'text/html; charset=utf-8'
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
