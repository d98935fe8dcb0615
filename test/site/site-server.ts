/** Serves the built site as a host of static files does: `element.html` as `/element`, `404.html`, and compressed. */
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {extname, join, normalize} from 'node:path'
import {gzipSync} from 'node:zlib'
import {closeServer, listen} from '../http/loopback.js'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

export interface SiteServer {
  readonly url: string
  close(): Promise<void>
}

/** @param others further files to serve, by their path */
export async function serveSite(
  folder: string,
  others: Readonly<Record<string, string>> = {},
): Promise<SiteServer> {
  const notFound = join(folder, '404.html')
  const server = createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://site')
    const files = others[pathname] ?? candidates(normalize(join(folder, decodeURIComponent(pathname))))
    readFirst([files, notFound].flat()).then(
      ({path, body}) =>
        response
          .writeHead(path === notFound ? 404 : 200, {
            'content-type': types[extname(path)] ?? 'application/octet-stream',
            'content-encoding': 'gzip',
            // The browser then compiles each script once.
            'cache-control': 'max-age=3600',
          })
          .end(gzipSync(body)),
      () => response.writeHead(404).end(),
    )
  })
  const port = await listen(server)
  return {url: `http://127.0.0.1:${port}`, close: () => closeServer(server)}
}

/** The files that a path of the site may be, in this order. */
export function candidates(path: string): string[] {
  return path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, join(path, 'index.html')]
}

async function readFirst([path = '', ...others]: readonly string[]): Promise<{path: string; body: Buffer}> {
  try {
    return {path, body: await readFile(path)}
  } catch (error) {
    if (others.length === 0) throw error
    return readFirst(others)
  }
}
