import {html, type TemplateResult} from 'lit'

/** What surrounds the view of every phase. */
export function frame(
  {locale, dir}: {readonly locale: string; readonly dir: 'ltr' | 'rtl'},
  header: unknown,
  view: unknown,
  dialog?: unknown,
): TemplateResult {
  return html`<div part="base" lang=${locale} dir=${dir}>
    <div part="header">
      <slot name="header"></slot>
      ${header}
    </div>
    <div class="view">${view}</div>
    <slot name="footer"></slot>
    <p class="visually-hidden" role="status"></p>
    ${dialog}
  </div>`
}
