import type {CSSResult} from 'lit'
import {base} from './base.js'
import {skeletonStyles} from './skeleton.js'
import {theme} from './theme.js'

export const styles = [theme, base, skeletonStyles]

/** Styles of lazy chunks, in order. */
const added = new WeakMap<ShadowRoot, CSSResult[]>()

/** Adds the styles of a lazy chunk. */
export function adopt(style: CSSResult, root: HTMLElement | DocumentFragment): void {
  if (!(root instanceof ShadowRoot)) return
  added.set(root, [...(added.get(root) ?? []), style])
  if (root.ownerDocument !== document) adoptAgain(root)
  else if (style.styleSheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, style.styleSheet]
}

/** A style sheet belongs to the document in which it was made. A document without a window shows nothing. */
export function adoptAgain(root: ShadowRoot): void {
  const view = root.ownerDocument.defaultView
  if (!view) return
  const {CSSStyleSheet} = view
  root.adoptedStyleSheets = [...styles, ...(added.get(root) ?? [])].map(({cssText}) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(cssText)
    return sheet
  })
}
