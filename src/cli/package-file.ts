/** The same from `src/cli` and from `dist/cli`, into which the build bundles all commands. @returns its URL */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}
