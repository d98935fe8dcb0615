/**
 * lit without what a page with a script tag has no use for.
 *
 * Its style sheets are those for browsers that can construct them, which is every browser that can draw this element: the
 * way around the others would never run, and would break the promise to strict pages that there is no `<style>`. And it
 * neither looks for polyfills nor for server rendering, nor does it leave its version on the page.
 */
import type {Plugin} from 'vite'

const styleSheets = `
export const css = (texts, ...values) => {
  const text = String.raw({raw: texts}, ...values)
  const styleSheet = new CSSStyleSheet()
  styleSheet.replaceSync(text)
  return {styleSheet, toString: () => text}
}
export const getCompatibleStyle = sheet => sheet
export const adoptStyles = (root, sheets) => {
  root.adoptedStyleSheets = sheets.map(sheet => sheet.styleSheet)
}
export const supportsAdoptingStyleSheets = true
export const unsafeCSS = text => css([text])
export const CSSResult = Object
`

/** What lit does with a page's globals, as it stands in its published files. */
const traces = [
  /(\w+\.\w+PolyfillSupport)(?=[;,])/g,
  /\w+\.litElementHydrateSupport\?\.\(\{LitElement:\w+\}\)/g,
  /\(\w+\.\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/g,
]

export function leanLit(): Plugin {
  return {
    name: 'lean-lit',
    enforce: 'pre',
    load: {
      filter: {id: /\/@lit\/reactive-element\/css-tag\.js$/},
      handler: () => styleSheets,
    },
    transform: {
      filter: {id: /\/(reactive-element|lit-element|lit-html)\.js$/},
      handler(code, id) {
        const lean = traces.reduce((text, trace) => text.replace(trace, 'void 0'), code)
        if (/PolyfillSupport|HydrateSupport|Versions/.test(lean) || lean === code)
          throw new Error(`${id} is not what it was: look what lit does with the page's globals`)
        return {code: lean, map: null}
      },
    },
  }
}
