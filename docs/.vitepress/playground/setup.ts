import {html, LitElement, type TemplateResult} from 'lit'
import {faults, operations} from '../../../demo/faults.js'
import type {Phase} from '../../../src/core/phase.js'
import {languages} from '../../../src/translations/generated/languages.js'
import {checkbox, select} from './controls.js'
import {StateChangeEvent} from './events.js'
import {
  inPhase,
  initialState,
  isPhase,
  pairs,
  phases,
  widths,
  withPair,
  type FaultChoice,
  type PlaygroundState,
} from './state.js'
import {shared} from './styles.js'

const ANY = ''

/** The setup of the charge and of the element. */
export class PlaygroundSetup extends LitElement {
  static override styles = shared
  static override properties = {state: {attribute: false}, phase: {}}

  state: PlaygroundState = initialState
  /** The phase that the element shows. */
  phase: Phase = 'idle'

  override render(): TemplateResult {
    return html`<div class="stack">
      <section class="group">
        <h2>Charge</h2>
        <div class="columns">${this.#phase()} ${this.#asset()} ${this.#fault()} ${this.#operation()}</div>
      </section>
      <section class="group">
        <h2>Page</h2>
        <div class="columns">${this.#language()} ${this.#direction()} ${this.#theme()} ${this.#width()}</div>
      </section>
      <section class="group">
        <h2>Attributes</h2>
        ${this.#attributes()}
      </section>
    </div>`
  }

  #change(changes: Partial<PlaygroundState>, restart = false): void {
    this.dispatchEvent(new StateChangeEvent(state => ({...state, ...changes}), restart))
  }

  #phase(): TemplateResult {
    const options = phases.map(name => [name, name] as const)
    return select('Phase', this.phase, options, phase => {
      if (isPhase(phase)) this.dispatchEvent(new StateChangeEvent(state => inPhase(state, phase), true))
    })
  }

  #asset(): TemplateResult {
    const {pair} = this.state
    const options = pairs.map(({asset, network, name}) => [`${asset}.${network}`, name] as const)
    return select(
      'Asset and network',
      pair ? `${pair.asset}.${pair.network}` : ANY,
      [[ANY, 'The customer chooses'], ...options],
      value => {
        const found = pairs.find(({asset, network}) => `${asset}.${network}` === value)
        const chosen = found ? {asset: found.asset, network: found.network} : null
        this.dispatchEvent(new StateChangeEvent(state => withPair(state, chosen), true))
      },
    )
  }

  #operation(): TemplateResult {
    const {fault} = this.state
    return select(
      'Operation with the fault',
      fault?.operation ?? '*',
      Object.entries(operations),
      operation => {
        if (fault && isOperation(operation)) this.#change({fault: {...fault, operation}})
      },
      !fault,
    )
  }

  #fault(): TemplateResult {
    const {fault} = this.state
    const options = Object.entries(faults).map(([id, {name}]) => [id, name] as const)
    return select('Fault of the service', fault?.id ?? ANY, [[ANY, 'none'], ...options], id =>
      this.#change({fault: id ? {operation: fault?.operation ?? '*', id} : null}),
    )
  }

  #language(): TemplateResult {
    const names = new Intl.DisplayNames(['en'], {type: 'language'})
    const options = ['en', ...languages].map(tag => [tag, names.of(tag) ?? tag] as const)
    options.sort(([, a], [, b]) => a.localeCompare(b))
    return select('Language', this.state.locale, [[ANY, 'as the page'], ...options], locale =>
      this.#change({locale}),
    )
  }

  #direction(): TemplateResult {
    const options = [
      [ANY, 'as the page'],
      ['ltr', 'left to right'],
      ['rtl', 'right to left'],
    ] as const
    return select('Direction', this.state.direction, options, value =>
      this.#change({direction: options.find(([each]) => each === value)?.[0] ?? ANY}),
    )
  }

  #theme(): TemplateResult {
    const options = [
      ['auto', 'as the system'],
      ['light', 'light'],
      ['dark', 'dark'],
    ] as const
    return select('Theme', this.state.colorScheme, options, value =>
      this.#change({colorScheme: options.find(([each]) => each === value)?.[0] ?? 'auto'}),
    )
  }

  #width(): TemplateResult {
    const options = widths.map(width => [String(width), width ? `${width} px` : 'as the page'] as const)
    return select('Width', String(this.state.width), options, value =>
      this.#change({width: widths.find(width => String(width) === value) ?? 0}),
    )
  }

  #attributes(): TemplateResult {
    const {qr, wallets, autoRedirect, forget, modal} = this.state
    return html`<div class="columns attributes">
      ${checkbox(html`<code>modal</code>`, modal, modal => this.#change({modal}))}
      ${checkbox(html`<code>qr="request"</code>`, qr === 'request', isOn =>
        this.#change({qr: isOn ? 'request' : 'address'}, true),
      )}
      ${checkbox(html`<code>wallets="none"</code>`, wallets === 'none', isOn =>
        this.#change({wallets: isOn ? 'none' : 'auto'}, true),
      )}
      ${checkbox(html`<code>auto-redirect</code>`, autoRedirect, autoRedirect =>
        this.#change({autoRedirect}),
      )}
      ${checkbox(html`<code>forget</code>`, forget, forget => this.#change({forget}, true))}
    </div>`
  }
}

function isOperation(name: string): name is FaultChoice['operation'] {
  return Object.hasOwn(operations, name)
}
