import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** The same from `src/cli` and from `dist/cli`, into which the build bundles all commands. @returns its path */
export function packageFile(path: string): string {
  // Not by `new URL`: Vite would put the file into the bundle.
  return join(dirname(fileURLToPath(import.meta.url)), '../..', path)
}
