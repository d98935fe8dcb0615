/** Which route a path has. */
import type {PageRoute} from './page-route.js'

export interface FoundRoute {
  readonly kind: 'health' | 'ready' | 'webhook' | 'charge' | 'quote' | 'refund-address' | 'page'
  readonly methods: readonly string[]
  /** The id of the charge as it is in the path. */
  readonly name: string
  readonly page?: {readonly route: PageRoute; readonly parameters: readonly string[]}
}

const READ = ['GET', 'HEAD']
const CHARGES = '/charges/'
const fixedRoutes: ReadonlyMap<string, FoundRoute> = new Map([
  ['/health', {kind: 'health', methods: READ, name: ''}],
  ['/ready', {kind: 'ready', methods: READ, name: ''}],
  ['/webhook', {kind: 'webhook', methods: ['POST'], name: ''}],
])
/** By the part of the path after the id. */
const chargeRoutes: ReadonlyMap<string, Omit<FoundRoute, 'name'>> = new Map([
  ['', {kind: 'charge', methods: [...READ, 'POST']}],
  ['/quote', {kind: 'quote', methods: ['POST']}],
  ['/refund-address', {kind: 'refund-address', methods: ['POST']}],
])

/** Returns a function that finds the route of a path. Those with a fixed path come first. */
export function routeFinder(pages: readonly PageRoute[]): (path: string) => FoundRoute | undefined {
  const fixed = new Map(pages.map(route => [route.path, pageRoute(route, [])]))
  return requested => {
    const path = withoutSlash(requested)
    return fixedRoutes.get(path) ?? chargeRouteOf(path) ?? fixed.get(path) ?? matching(pages, path)
  }
}

/** Hosts that have one form of each path add a slash at its end, such as Next with `trailingSlash`. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function chargeRouteOf(path: string): FoundRoute | undefined {
  if (!path.startsWith(CHARGES)) return undefined
  const slash = path.indexOf('/', CHARGES.length)
  const end = slash < 0 ? path.length : slash
  const route = chargeRoutes.get(path.slice(end))
  // Not by spread syntax, which takes longer than the rest of a cached read.
  return route && {kind: route.kind, methods: route.methods, name: path.slice(CHARGES.length, end)}
}

function matching(pages: readonly PageRoute[], path: string): FoundRoute | undefined {
  for (const route of pages) {
    const match = typeof route.path === 'string' ? null : route.path.exec(path)
    if (match) return pageRoute(route, match.slice(1))
  }
  return undefined
}

function pageRoute(route: PageRoute, parameters: readonly string[]): FoundRoute {
  return {kind: 'page', methods: route.methods, name: '', page: {route, parameters}}
}
