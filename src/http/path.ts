/** `/crypto-checkout/charges/1` below `/crypto-checkout` is `/charges/1`; undefined when it lies elsewhere. */
export function relativePath(path: string, basePath: string): string | undefined {
  if (basePath === '' || basePath === '/') return path
  if (!path.startsWith(basePath)) return undefined
  const suffix = path.slice(basePath.length)
  if (suffix === '') return '/'
  return suffix.startsWith('/') ? suffix : undefined
}
