import {html, type TemplateResult} from 'lit'
import type {ViewContext} from './context.js'

export function payPartButton({
  translation,
  setPart,
}: Pick<ViewContext, 'translation' | 'setPart'>): TemplateResult {
  return html`<button part="pay-part" class="secondary" name="part" @click=${() => setPart('')}>
    ${translation.payPart}
  </button>`
}
