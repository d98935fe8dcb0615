/**
 * Sends GET requests with autocannon over keep-alive connections, one at a time on each. With a rate, the latency of a late
 * request counts from when it was due. It sends the last `ETag` of a path as what it knows, as the element does, if `isConditional`.
 */
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {installTools} from '../test/package/project.js'

export interface LoadOptions {
  readonly port: number
  readonly paths: readonly string[]
  readonly connections: number
  /** Milliseconds. */
  readonly duration: number
  /** Requests per second over all connections. Default: no limit. */
  readonly rate?: number
  readonly isConditional?: boolean
}

interface Context {
  path?: string
}
interface Result {
  readonly requests: {readonly total: number}
  readonly latency: {readonly p50: number; readonly p99: number}
  readonly throughput: {readonly total: number}
  /** Seconds. */
  readonly duration: number
  readonly errors: number
  readonly non2xx: number
  readonly statusCodeStats: Readonly<Record<string, {readonly count: number}>>
}
export type Load = Awaited<ReturnType<typeof load>>

const tools = await installTools('bench/tools.json')
const autocannon = createRequire(import.meta.url)(join(tools, 'autocannon')) as (
  options: object,
) => Promise<Result>
/** By path, for all runs. */
const etags = new Map<string, string>()

export async function load({port, paths, connections, duration, rate, isConditional = true}: LoadOptions) {
  let sent = 0
  const conditional = {
    setupRequest(request: object, context: Context) {
      const path = (context.path = paths[sent++ % paths.length] ?? '')
      const etag = etags.get(path)
      return {...request, path: etag === undefined ? path : `${path}?known=${encodeURIComponent(etag)}`}
    },
    onResponse(_status: number, _body: string, {path = ''}: Context, headers: Record<string, string>) {
      const etag = headers['etag'] ?? headers['ETag']
      if (etag !== undefined) etags.set(path, etag)
    },
  }
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${paths[0] ?? ''}`,
    connections,
    duration: duration / 1000,
    ...(rate !== undefined && {overallRate: rate}),
    ...(isConditional && {requests: [conditional]}),
  })
  const {requests, latency, throughput, errors, non2xx, statusCodeStats} = result
  return {
    requests: requests.total,
    requestsPerSecond: requests.total / result.duration,
    /** Whole milliseconds. */
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + non2xx,
    /** Of all responses, heads included. */
    bytes: throughput.total,
    unchanged: statusCodeStats['204']?.count ?? 0,
  }
}

if (process.argv[1]?.endsWith('load-client.ts'))
  console.log(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}') as LoadOptions)))
