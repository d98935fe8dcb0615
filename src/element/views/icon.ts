/** Pictures of 20 px, drawn in the colour of the text beside them, which says the same. */
import {html, type SVGTemplateResult, type TemplateResult} from 'lit'

export function icon(lines: SVGTemplateResult): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${lines}</svg>`
}
