/** The six operations of the service and their routes (specification, "Endpoints"). */

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
  /** The id in the path; empty if there is none. */
  readonly id: string
}

type Methods = Readonly<Partial<Record<string, Operation>>>

/** Order matters: `convert` would match as the id of a crypto charge. It is documented as GET; POST works too. */
const routes: readonly (readonly [path: RegExp, methods: Methods])[] = [
  [/^\/api\/v1\/pay\/charge$/, {POST: 'createCharge'}],
  [/^\/api\/v1\/pay\/charge\/([^/]+)$/, {GET: 'getCharge'}],
  [/^\/api\/v1\/pay\/crypto\/convert$/, {GET: 'convert', POST: 'convert'}],
  [/^\/api\/v1\/pay\/crypto\/payment\/([^/]+)$/, {POST: 'verifyPayment'}],
  [/^\/api\/v1\/pay\/crypto\/([^/]+)$/, {GET: 'getCryptoCharge', POST: 'createCryptoCharge'}],
]

/** Returns the route, or the methods that the path allows, or `undefined` for an unknown path. */
export function matchRoute(method: string, path: string): Route | {readonly allow: string} | undefined {
  for (const [pattern, methods] of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const operation = methods[method]
    return operation ? {operation, id: match[1] ?? ''} : {allow: Object.keys(methods).join(', ')}
  }
  return undefined
}
