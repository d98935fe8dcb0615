/** How it looks before anything can be chosen; the list and the desk bring the rest. */
import type {CSSResult} from 'lit'
import {base} from './base.js'
import {skeletonStyles} from './skeleton.js'
import {theme} from './theme.js'

export const styles = [theme, base, skeletonStyles]

/** The styles of a late part. */
export function adopt({styleSheet}: CSSResult, root: HTMLElement | DocumentFragment): void {
  if (root instanceof ShadowRoot && styleSheet)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet]
}
