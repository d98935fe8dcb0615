import {html, LitElement, type TemplateResult} from 'lit'
import {StateChangeEvent} from './events.js'
import {snippetOf, stackNames} from './snippet.js'
import {initialState, stacks, type PlaygroundState} from './state.js'
import {shared} from './styles.js'

/** The code that shows on a page of the visitor what the playground shows. */
export class PlaygroundCode extends LitElement {
  static override styles = shared
  static override properties = {state: {attribute: false}}

  state: PlaygroundState = initialState

  override render(): TemplateResult {
    const {state} = this
    return html`<div class="stack">
      <section class="group">
        <h2 id="stack">Your stack</h2>
        <div class="buttons" role="group" aria-labelledby="stack">
          ${stacks.map(
            stack =>
              html`<button
                type="button"
                data-stack=${stack}
                aria-pressed=${String(stack === state.stack)}
                @click=${() => this.dispatchEvent(new StateChangeEvent(before => ({...before, stack})))}
              >
                ${stackNames[stack]}
              </button>`,
          )}
        </div>
      </section>
      ${snippetOf(state).map(
        ({name, code}) => html`<playground-code-block .name=${name} .code=${code}></playground-code-block>`,
      )}
      <p class="hint">
        Your server mounts the proxy, creates the charge, and puts its id into the page. The quick start shows
        how.
      </p>
    </div>`
  }
}
