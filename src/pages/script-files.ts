/** The script-tag build as the proxy serves it, so that a page needs no static folder. */
import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'
import {acceptedEncoding, hasEtag} from '../http/index.js'
import type {Bytes, Compress, Encoding, HttpReply, HttpRequest} from '../http/index.js'

/** The file that pages load. The names of the others contain a hash or the version. */
export const ENTRY_FILE = 'crypto-checkout.js'

type Content = string | Bytes

export interface ScriptFile {
  /** Identifies the content, whatever its encoding. */
  readonly tag: string
  /** The encodings in which it exists, the smallest first. */
  readonly encodings: readonly Encoding[]
  read(encoding: Encoding | undefined): Promise<Content>
}

/** By file name. No other name is served, so no path reaches another file. */
export type ScriptFiles = ReadonlyMap<string, ScriptFile>

/**
 * The files of `crypto-checkout/files`, for servers that have no folder of the package.
 *
 * @param compress called at most once for each file and encoding; without it, the platform compresses
 */
export function scriptFilesOf(texts: Readonly<Record<string, string>>, compress?: Compress): ScriptFiles {
  return new Map(Object.entries(texts).map(([name, text]) => [name, new TextFile(text, compress)]))
}

class TextFile implements ScriptFile {
  readonly encodings: readonly Encoding[]
  readonly #compressed = new Map<Encoding, Promise<Bytes>>()
  #tag: string | undefined

  constructor(
    readonly text: string,
    readonly compress?: Compress,
  ) {
    this.encodings = compress ? ['br', 'gzip'] : []
  }

  get tag(): string {
    return (this.#tag ??= bytesToHex(sha256(utf8ToBytes(this.text))).slice(0, 32))
  }

  async read(encoding: Encoding | undefined): Promise<Content> {
    if (!encoding || !this.compress) return this.text
    const compressed = this.#compressed.get(encoding) ?? this.compress(this.text, encoding)
    this.#compressed.set(encoding, compressed)
    return compressed
  }
}

/** A module script is requested with CORS. The files are public, so pages of every origin may load them. */
const publicHeaders = {
  'access-control-allow-origin': '*',
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'Accept-Encoding',
}

/** 304 to `If-None-Match` (RFC 9110, section 13.1.2), else the file in the best encoding that the client accepts. */
export async function scriptReply(
  name: string,
  file: ScriptFile,
  {headers}: HttpRequest,
): Promise<HttpReply> {
  // Weak, because the encodings share it.
  const etag = `W/"${file.tag}"`
  const own = {
    ...publicHeaders,
    etag,
    'cache-control': name === ENTRY_FILE ? 'public, no-cache' : 'public, max-age=31536000, immutable',
  }
  if (hasEtag(headers['if-none-match'], etag)) return {status: 304, headers: own, body: ''}
  const encoding = acceptedEncoding(headers['accept-encoding'], file.encodings)
  return {
    status: 200,
    headers: encoding ? {...own, 'content-encoding': encoding} : own,
    body: await file.read(encoding),
  }
}
