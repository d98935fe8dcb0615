/** The script-tag build in the folder of the installed package. */
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {brotliCompress, gzip} from 'node:zlib'
import * as z from 'zod/mini'
import type {Compress, Encoding} from '../http/index.js'
import type {ScriptFile, ScriptFiles} from '../pages/script-files.js'

/** Hashes by file name. */
const listSchema = z.record(z.string(), z.string())
const EXTENSIONS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

let installed: ScriptFiles | undefined

/**
 * Undefined in a bundle, which has no such folder.
 *
 * @param entryPoint the URL of the module in `src/node` or `dist/node`
 */
export function installedScriptFiles(entryPoint: string): ScriptFiles | undefined {
  try {
    installed ??= readScriptFolder(join(dirname(fileURLToPath(entryPoint)), '../../dist/cdn'))
  } catch {
    // Without the list of files, or in CommonJS, where the URL is undefined.
  }
  return installed
}

/**
 * The files that `integrity.json` lists, with the compressed files beside them. All are read at once, so that an update of
 * the package does not mix two builds.
 *
 * @throws if the folder is incomplete
 */
export function readScriptFolder(folder: string): ScriptFiles {
  const hashes = listSchema.parse(JSON.parse(readFileSync(join(folder, 'integrity.json'), 'utf8')))
  return new Map(Object.entries(hashes).map(([name, tag]) => [name, readScript(join(folder, name), tag)]))
}

function readScript(path: string, tag: string): ScriptFile {
  const text = readFileSync(path)
  const encoded = new Map(
    EXTENSIONS.filter(([, extension]) => existsSync(path + extension)).map(([encoding, extension]) => [
      encoding,
      readFileSync(path + extension),
    ]),
  )
  return {
    tag,
    encodings: [...encoded.keys()],
    read: async encoding => (encoding && encoded.get(encoding)) ?? text,
  }
}

const compressors = {br: promisify(brotliCompress), gzip: promisify(gzip)}

export const compress: Compress = (text, encoding) => compressors[encoding](text)
