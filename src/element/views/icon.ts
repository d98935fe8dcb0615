import {html, type SVGTemplateResult, type TemplateResult} from 'lit'

/** A decorative 20 px icon in the colour of the text beside it. */
export function icon(paths: SVGTemplateResult): TemplateResult {
  return html`<svg class="icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">${paths}</svg>`
}
