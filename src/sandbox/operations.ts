/** The service's six operations, and which of them a request asks for (specification, "Endpoints"). */

export const operations = [
  'createCharge',
  'getCharge',
  'createCryptoCharge',
  'convert',
  'getCryptoCharge',
  'verifyPayment',
] as const

export type Operation = (typeof operations)[number]

export interface Route {
  readonly operation: Operation
  /** The id in the path; empty where there is none. */
  readonly id: string
}

type Methods = Readonly<Partial<Record<string, Operation>>>

/** In this order: `convert` would pass for a crypto charge's id. It is labelled GET; POST is taken as well. */
const routes: readonly (readonly [path: RegExp, methods: Methods])[] = [
  [/^\/api\/v1\/pay\/charge$/, {POST: 'createCharge'}],
  [/^\/api\/v1\/pay\/charge\/([^/]+)$/, {GET: 'getCharge'}],
  [/^\/api\/v1\/pay\/crypto\/convert$/, {GET: 'convert', POST: 'convert'}],
  [/^\/api\/v1\/pay\/crypto\/payment\/([^/]+)$/, {POST: 'verifyPayment'}],
  [/^\/api\/v1\/pay\/crypto\/([^/]+)$/, {GET: 'getCryptoCharge', POST: 'createCryptoCharge'}],
]

/** The route, or the methods that this path allows, or undefined for a path that is not the service's. */
export function matchRoute(method: string, path: string): Route | {readonly allow: string} | undefined {
  for (const [pattern, methods] of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const operation = methods[method]
    return operation ? {operation, id: match[1] ?? ''} : {allow: Object.keys(methods).join(', ')}
  }
  return undefined
}
