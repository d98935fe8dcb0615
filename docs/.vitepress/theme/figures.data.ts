/** Figures of the home page, from the built script and the translations. */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'

export interface Figures {
  /** Of the script tag, after gzip. */
  readonly kilobytes: number
  readonly languages: number
}

declare const data: Figures
export {data}

const script = 'dist/cdn/crypto-checkout.js'

// VitePress reads the default export.
export default {
  load(): Figures {
    if (!existsSync(script)) throw new Error('the script is missing: npx tsx scripts/build.ts cdn')
    const bytes = gzipSync(readFileSync(script), {level: 9}).length
    const languages = readdirSync('src/translations').filter(name => /^[a-z]{2,3}(-\w+)?\.json$/.test(name))
    return {kilobytes: Math.ceil(bytes / 1000), languages: languages.length}
  },
}
