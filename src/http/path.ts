/** Returns `/charges/1` for `/crypto-checkout/charges/1` below `/crypto-checkout`; `undefined` outside `basePath`. */
export function relativePath(path: string, basePath: string): string | undefined {
  if (basePath === '' || basePath === '/') return path
  if (!path.startsWith(basePath)) return undefined
  const suffix = path.slice(basePath.length)
  if (suffix === '') return '/'
  return suffix.startsWith('/') ? suffix : undefined
}
