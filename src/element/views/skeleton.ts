import {html, type TemplateResult} from 'lit'

/** A list of more assets than this has a search field. */
export const SEARCH_THRESHOLD = 8

/** A placeholder of the size of the asset list, so that the page does not move when the list is rendered. */
export function skeleton(): TemplateResult {
  const row = html`<li>
    <span class="option"><i class="logo"></i><i></i><i></i></span>
  </li>`
  return html`<div class="skeleton" aria-hidden="true">
    <i class="search"></i>
    <ul class="rows long">
      ${Array<TemplateResult>(SEARCH_THRESHOLD).fill(row)}
    </ul>
  </div>`
}
