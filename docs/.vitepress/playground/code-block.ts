import {css, html, LitElement, type TemplateResult} from 'lit'
import {shared} from './styles.js'

const COPIED_MS = 2_000

/** Code with a button that copies it. */
export class PlaygroundCodeBlock extends LitElement {
  static override styles = [
    shared,
    css`
      figure {
        background: var(--soft);
        border: 1px solid var(--line);
        border-radius: 10px;
        margin: 0;
        overflow: hidden;
      }
      figcaption {
        align-items: center;
        border-block-end: 1px solid var(--line);
        display: flex;
        gap: 8px;
        justify-content: space-between;
        padding: 4px 4px 4px 14px;
      }
      pre {
        overflow-x: auto;
        padding: 12px 14px;
        tab-size: 2;
      }
      pre:focus-visible {
        outline-offset: -3px;
      }
      code {
        line-height: 1.6;
      }
      button {
        min-block-size: 36px;
      }
    `,
  ]
  static override properties = {name: {}, code: {}, status: {attribute: false}}

  /** Of the file. */
  name = ''
  code = ''
  status = ''

  override render(): TemplateResult {
    return html`<figure dir="ltr">
      <figcaption>
        <code>${this.name}</code>
        <button type="button" aria-label=${`Copy ${this.name}`} @click=${() => void this.#copy()}>
          ${this.status || 'Copy'}
        </button>
      </figcaption>
      <pre tabindex="0" role="region" aria-label=${this.name}><code>${this.code}</code></pre>
      <p role="status" class="visually-hidden">${this.status}</p>
    </figure>`
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.code)
      this.status = 'Copied'
    } catch {
      this.#select()
      this.status = 'Selected'
    }
    setTimeout(() => (this.status = ''), COPIED_MS)
  }

  /** Where the browser does not allow to copy, the visitor can. */
  #select(): void {
    const code = this.renderRoot.querySelector('pre')
    if (code) getSelection()?.selectAllChildren(code)
  }
}
