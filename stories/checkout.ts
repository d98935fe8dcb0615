/** Shared by all stories: the tag with its controls, the fixture, and waiting for a phase. */
import type {Meta, StoryObj} from '@storybook/web-components-vite'
import {html} from 'lit'
import {ifDefined} from 'lit/directives/if-defined.js'
import {waitFor} from 'storybook/test'
import '../src/index.js'
import type {CryptoCheckout, Phase} from '../src/index.js'
import {openFixture, type StorySetup, type StoryFixture, type StoryOptions} from './fixture.js'

export interface Attributes {
  asset?: string
  network?: string
  theme?: 'auto' | 'light' | 'dark'
  locale?: string
  logos?: 'bundled' | 'remote' | 'none'
  qr?: 'address' | 'request'
  wallets?: 'auto' | 'none'
  modal?: boolean
  open?: boolean
  autoRedirect?: boolean
}

export type Story = StoryObj<Attributes>

export const checkout: Meta<Attributes> = {
  component: 'crypto-checkout',
  args: {theme: 'auto', qr: 'address'},
  argTypes: {
    theme: {control: 'inline-radio', options: ['auto', 'light', 'dark']},
    logos: {control: 'inline-radio', options: ['bundled', 'remote', 'none']},
    qr: {control: 'inline-radio', options: ['address', 'request']},
    wallets: {control: 'inline-radio', options: ['auto', 'none']},
    asset: {control: 'text'},
    network: {control: 'text'},
    locale: {control: 'text'},
  },
  render: ({asset, network, theme, locale, logos, qr, wallets, modal, open, autoRedirect}, {loaded}) => {
    const {chargeId, fetch, token} =
      'fixture' in loaded
        ? fixtureOf(loaded)
        : {chargeId: undefined, fetch: globalThis.fetch, token: undefined}
    return html`<crypto-checkout
      charge-id=${ifDefined(chargeId)}
      token=${ifDefined(token)}
      asset=${ifDefined(asset)}
      network=${ifDefined(network)}
      theme=${ifDefined(theme)}
      locale=${ifDefined(locale)}
      logos=${ifDefined(logos)}
      qr=${ifDefined(qr)}
      wallets=${ifDefined(wallets)}
      ?modal=${modal}
      ?open=${open}
      ?auto-redirect=${autoRedirect}
      .fetch=${fetch}
    ></crypto-checkout>`
  },
}

/** A story that prepares its charge, then waits until the element shows a phase. */
export function storyOf(
  phase: Phase,
  prepare?: (setup: StorySetup) => void | Promise<void>,
  options?: StoryOptions,
): Pick<Story, 'loaders' | 'play'> {
  return {
    loaders: [async () => ({fixture: await openFixture(prepare, options)})],
    play: async ({canvasElement}) => waitForPhase(checkoutIn(canvasElement), phase),
  }
}

export function checkoutIn(canvas: HTMLElement): CryptoCheckout {
  const element = canvas.querySelector('crypto-checkout')
  if (!element) throw new Error('the story has no checkout element')
  return element
}

/** Longer than the element's longest poll interval in the first minutes. */
const waitOptions = {timeout: 10_000}

/** The phases whose view loads after the QR code. */
const outcomes: readonly Phase[] = ['confirming', 'underpaid', 'paid', 'overpaid', 'expired', 'cancelled']

/** Waits until the element shows this phase. */
export async function waitForPhase(element: CryptoCheckout, phase: Phase): Promise<void> {
  // While the customer chooses, the next read may be 18 seconds away.
  void element.refresh()
  await waitFor(() => {
    if (element.phase !== phase) throw new Error(`the phase is ${element.phase}, not ${phase}`)
    if (outcomes.includes(phase) && !element.shadowRoot?.querySelector('.status-header'))
      throw new Error(`the view of ${phase} has not loaded`)
  }, waitOptions)
  await element.updateComplete
}

export function fixtureOf({fixture}: Record<string, unknown>): StoryFixture {
  if (!isFixture(fixture)) throw new Error('the story has no fixture')
  return fixture
}

function isFixture(value: unknown): value is StoryFixture {
  return typeof value === 'object' && value !== null && 'sandbox' in value && 'fetch' in value
}

/** Clicks the control as soon as it is rendered. */
export async function click(element: CryptoCheckout, selector: string): Promise<void> {
  const control = await waitFor(() => {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(`no element matches ${selector}`)
    return found
  }, waitOptions)
  control.click()
}
