import {html, svg, type TemplateResult} from 'lit'
import {icon} from '../views/icon.js'

export const copyIcon = svg`<rect x="7" y="7" width="9" height="9" rx="2" /><path d="M4 12.5V6a2 2 0 0 1 2-2h6.5" />`
export const doneIcon = svg`<path d="M4.5 10.5l3.7 3.7 7.3-8" />`
export const warningIcon = svg`<path d="M10 3.2 17.6 16.4H2.4z" /><path d="M10 8.2v3.6M10 14.1v.1" />`
export const backIcon = svg`<path d="M12 4.5 6.5 10l5.5 5.5" />`

const statusIcons = {
  done: doneIcon,
  wait: svg`<path d="M10 3a7 7 0 1 1-6.1 3.6" />`,
  part: svg`<path d="M10 3a7 7 0 0 1 0 14z" fill="currentcolor" /><circle cx="10" cy="10" r="7" />`,
  stop: svg`<path d="M6 6l8 8M14 6l-8 8" />`,
}

export type StatusIcon = keyof typeof statusIcons

/** The icon of the status; the heading beside it has the text. */
export function statusIcon(name: StatusIcon): TemplateResult {
  return html`<span class="status-icon ${name}" aria-hidden="true">${icon(statusIcons[name])}</span>`
}
