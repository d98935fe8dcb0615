import {html, svg, type TemplateResult} from 'lit'
import {icon} from '../views/icon.js'

const statusIcons = {
  done: svg`<path d="M4.5 10.5l3.7 3.7 7.3-8" />`,
  wait: svg`<path d="M10 3a7 7 0 1 1-6.1 3.6" />`,
  part: svg`<path d="M10 3a7 7 0 0 1 0 14z" fill="currentcolor" /><circle cx="10" cy="10" r="7" />`,
  stop: svg`<path d="M6 6l8 8M14 6l-8 8" />`,
}

export type StatusIcon = keyof typeof statusIcons

/** The icon of the status; the heading beside it has the text. */
export function statusIcon(name: StatusIcon): TemplateResult {
  return html`<span class="status-icon ${name}" aria-hidden="true">${icon(statusIcons[name])}</span>`
}
