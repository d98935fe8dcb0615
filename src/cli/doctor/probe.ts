/** Requests to the deployment, as a browser, the payment service or a stranger sends them. */
import * as z from 'zod/mini'

/** The deployment that is checked. */
export interface Deployment {
  readonly apiKey: string
  /** The site, such as `https://shop.example`. */
  readonly url: URL
  readonly basePath: string
}

const TIMEOUT_MS = 15_000

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Follows no redirect. Resolves to the code of an error of the connection instead of a reply. */
export async function send(url: URL | string, init: RequestInit = {}): Promise<Reply | string> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return {status: response.status, headers: response.headers, text: await response.text()}
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const {cause} = error
    return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
  }
}

export function endpoint({url, basePath}: Deployment, path: string): URL {
  return new URL(`${basePath}${path}`, url)
}

const problemSchema = z.object({code: z.string()})

/** The code of a problem of the proxy, `ok` for its other responses, and undefined for a response of something else. */
export function codeOf(reply: Reply | string): string | undefined {
  if (typeof reply === 'string' || !reply.headers.has('x-request-id')) return undefined
  if (reply.status < 300) return 'ok'
  return z.safeParse(problemSchema, parseJson(reply.text)).data?.code
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Such as `302 to /login`. Without the query, which may hold a secret. */
export function describe(reply: Reply | string): string {
  if (typeof reply === 'string') return reply
  const location = reply.headers.get('location')
  const code = codeOf(reply)
  if (location !== null && URL.canParse(location, 'http://localhost'))
    return `${reply.status} to ${new URL(location, 'http://localhost').pathname}`
  if (code !== undefined) return `${reply.status} ${code}`
  return `${reply.status}${isHtml(reply) ? ' with an HTML page' : ''}, not from the proxy`
}

export function isHtml({headers}: Reply): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/html')
}
