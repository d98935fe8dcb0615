/** What stands where the list will be. */
import {html, type TemplateResult} from 'lit'

/** With more assets than these, one looks for one's own. */
export const SEARCH_THRESHOLD = 8

/** As large as what comes, so that nothing moves when it does. */
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
