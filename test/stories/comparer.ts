/** Compares pictures as people see them, in a page. */
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {launchChromium} from '../engines/puppeteer.js'
import type {Comparison} from './compare-in-page.js'

export interface Comparer {
  compare(expected: Buffer, actual: Buffer): Promise<Comparison>
  close(): Promise<void>
}

export async function openComparer(): Promise<Comparer> {
  const browser = await launchChromium()
  const page = await browser.newPage()
  const {
    outputFiles: [script],
  } = await build({
    entryPoints: [fileURLToPath(new URL('compare-in-page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'comparer',
    write: false,
  })
  await page.addScriptTag({content: script?.text ?? ''})
  return {
    compare: (expected, actual) =>
      page.evaluate(
        (...urls) =>
          (globalThis as unknown as {comparer: typeof import('./compare-in-page.js')}).comparer.compare(
            ...urls,
          ),
        dataUrl(expected),
        dataUrl(actual),
      ),
    close: () => browser.close(),
  }
}

/** Of a picture as WebP. */
export function dataUrl(picture: Buffer): string {
  return `data:image/webp;base64,${picture.toString('base64')}`
}
