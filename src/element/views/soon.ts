/** What stands where the list will be. */
import {html, type TemplateResult} from 'lit'

/** With more assets than these, one looks for one's own. */
export const FEW = 8

/** As large as what comes, so that nothing moves when it does. */
export function soon(): TemplateResult {
  const row = html`<li>
    <span class="choice"><i class="logo"></i><i></i><i></i></span>
  </li>`
  return html`<div class="soon" aria-hidden="true">
    <i class="search"></i>
    <ul class="rows long">
      ${Array<TemplateResult>(FEW).fill(row)}
    </ul>
  </div>`
}
