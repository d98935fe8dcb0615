/**
 * lit's style sheets for browsers that can construct them, which is every browser that can draw this element: the way
 * around the others would never run, and would break the promise to strict pages that there is no `<style>`.
 */
import type {Plugin} from 'vite'

const code = `
class Sheet {
  _$cssResult$ = true
  constructor(text) {
    this.cssText = text
  }
  get styleSheet() {
    if (!this.sheet) (this.sheet = new CSSStyleSheet()).replaceSync(this.cssText)
    return this.sheet
  }
  toString() {
    return this.cssText
  }
}
export const css = (texts, ...values) => new Sheet(String.raw({raw: texts}, ...values))
export const getCompatibleStyle = sheet => sheet
export const adoptStyles = (root, sheets) => {
  root.adoptedStyleSheets = sheets.map(sheet => sheet.styleSheet)
}
export const supportsAdoptingStyleSheets = true
export const unsafeCSS = text => new Sheet(text)
export const CSSResult = Sheet
`

export function constructedStyleSheets(): Plugin {
  return {
    name: 'constructed-style-sheets',
    enforce: 'pre',
    load: {
      filter: {id: /\/@lit\/reactive-element\/css-tag\.js$/},
      handler: () => code,
    },
  }
}
