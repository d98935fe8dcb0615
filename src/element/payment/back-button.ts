import {html, type TemplateResult} from 'lit'
import type {ViewContext} from '../views/context.js'
import {icon} from '../views/icon.js'
import {backIcon} from './icons.js'

export function backButton({translation, back}: ViewContext): TemplateResult {
  return html`<button part="back" class="secondary" name="back" @click=${back}>
    ${icon(backIcon)}${translation.back}
  </button>`
}
