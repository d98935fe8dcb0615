import {register} from '../../../src/element/register.js'
import {PlaygroundCode} from './code.js'
import {PlaygroundCodeBlock} from './code-block.js'
import {PlaygroundCustomer} from './customer.js'
import {PlaygroundEventLog} from './event-log.js'
import {CheckoutPlayground} from './playground.js'
import {PlaygroundSetup} from './setup.js'
import {PlaygroundThemeEditor} from './theme-editor.js'

const elements = {
  'playground-code': PlaygroundCode,
  'playground-code-block': PlaygroundCodeBlock,
  'playground-customer': PlaygroundCustomer,
  'playground-event-log': PlaygroundEventLog,
  'playground-setup': PlaygroundSetup,
  'playground-theme-editor': PlaygroundThemeEditor,
  'checkout-playground': CheckoutPlayground,
}

/** Registers `<checkout-playground>`, its parts, and `<crypto-checkout>`, once. */
export function registerPlayground(): void {
  register()
  for (const [name, element] of Object.entries(elements))
    if (!customElements.get(name)) customElements.define(name, element)
}

declare global {
  interface HTMLElementTagNameMap {
    'checkout-playground': CheckoutPlayground
    'playground-code-block': PlaygroundCodeBlock
    'playground-customer': PlaygroundCustomer
    'playground-event-log': PlaygroundEventLog
    'playground-theme-editor': PlaygroundThemeEditor
  }
}
