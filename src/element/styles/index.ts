import type {CSSResult} from 'lit'
import {base} from './base.js'
import {skeletonStyles} from './skeleton.js'
import {theme} from './theme.js'

export const styles = [theme, base, skeletonStyles]

/** Adds the styles of a lazy chunk. */
export function adopt({styleSheet}: CSSResult, root: HTMLElement | DocumentFragment): void {
  if (root instanceof ShadowRoot && styleSheet)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet]
}
