/** Published decoders of QR codes, for pictures as PNG or JPEG. */
import {readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import {run} from '../package/project.js'
import {requireProgram} from '../system/programs.js'

export interface Picture {
  readonly type: 'png' | 'jpeg'
  readonly bytes: Uint8Array
}

/** Resolves to the text, or to what says that there is none. */
type Decoder = (picture: Picture) => Promise<unknown>

interface Zxing {
  prepareZXingModule(options: {overrides: {wasmBinary: Uint8Array}}): unknown
  readBarcodes(bytes: Uint8Array, options: {formats: string[]}): Promise<{text: string}[]>
}
interface Jpeg {
  decode(bytes: Uint8Array): {data: Uint8Array; width: number; height: number}
}

/** @param folder for pictures, because zbar reads files */
export async function qrDecoders(tools: string, folder: string): Promise<Readonly<Record<string, Decoder>>> {
  const tool = createRequire(join(tools, 'tools.js'))
  const {decode} = tool('jpeg-js') as Jpeg
  const zxing = (await import(pathToFileURL(join(tools, 'zxing-wasm/dist/es/reader/index.js')).href)) as Zxing
  const wasmBinary = readFileSync(join(tools, 'zxing-wasm/dist/reader/zxing_reader.wasm'))
  zxing.prepareZXingModule({overrides: {wasmBinary}})
  const zbarimg = requireProgram('zbarimg')
  let files = 0
  return {
    async zbar({type, bytes}) {
      const file = join(folder, `${files++}.${type}`)
      writeFileSync(file, bytes)
      return run(zbarimg, ['--quiet', '--raw', '--oneshot', '-Sdisable', '-Sqrcode.enable', file]).then(
        text => text.trim(),
        String,
      )
    },
    async jsqr({type, bytes}) {
      const {data, width, height} = type === 'png' ? PNG.sync.read(Buffer.from(bytes)) : decode(bytes)
      return jsqr(new Uint8ClampedArray(data), width, height)?.data
    },
    async zxing({bytes}) {
      const [found] = await zxing.readBarcodes(bytes, {formats: ['QRCode']})
      return found?.text
    },
  }
}
