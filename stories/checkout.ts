/** What all stories share: the tag with its controls, a shop behind it, and waiting for a phase. */
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
  logos?: 'remote' | 'none'
  qr?: 'address' | 'request'
  modal?: boolean
  open?: boolean
  autoRedirect?: boolean
}

export type Story = StoryObj<Attributes>

export const checkout: Meta<Attributes> = {
  component: 'crypto-checkout',
  // The sandbox's logos lead nowhere.
  args: {logos: 'none', theme: 'auto', qr: 'address'},
  argTypes: {
    theme: {control: 'inline-radio', options: ['auto', 'light', 'dark']},
    logos: {control: 'inline-radio', options: ['none', 'remote']},
    qr: {control: 'inline-radio', options: ['address', 'request']},
    asset: {control: 'text'},
    network: {control: 'text'},
    locale: {control: 'text'},
  },
  render: ({asset, network, theme, locale, logos, qr, modal, open, autoRedirect}, {loaded}) => {
    const {chargeId, fetch} =
      'shop' in loaded ? shopOf(loaded) : {chargeId: undefined, fetch: globalThis.fetch}
    return html`<crypto-checkout
      charge-id=${ifDefined(chargeId)}
      asset=${ifDefined(asset)}
      network=${ifDefined(network)}
      theme=${ifDefined(theme)}
      locale=${ifDefined(locale)}
      logos=${ifDefined(logos)}
      qr=${ifDefined(qr)}
      ?modal=${modal}
      ?open=${open}
      ?auto-redirect=${autoRedirect}
      .fetch=${fetch}
    ></crypto-checkout>`
  },
}

/** A story that begins after something has happened to its charge, and shows this phase. */
export function after(
  phase: Phase,
  before?: (charge: StorySetup) => void | Promise<void>,
  wares?: StoryOptions,
): Pick<Story, 'loaders' | 'play'> {
  return {
    loaders: [async () => ({shop: await openFixture(before, wares)})],
    play: async ({canvasElement}) => reaches(checkoutIn(canvasElement), phase),
  }
}

export function checkoutIn(canvas: HTMLElement): CryptoCheckout {
  const element = canvas.querySelector('crypto-checkout')
  if (!element) throw new Error('there is no checkout in this story')
  return element
}

/** More than the time until the element's next read. */
const patience = {timeout: 10_000}

/** Waits until the element shows this phase. */
export async function reaches(element: CryptoCheckout, phase: Phase): Promise<void> {
  await waitFor(() => {
    if (element.phase !== phase) throw new Error(`${element.phase} is not ${phase}`)
  }, patience)
  await element.updateComplete
}

/** The shop behind a story. */
export function shopOf(loaded: Record<string, unknown>): StoryFixture {
  const {shop} = loaded
  if (!isShop(shop)) throw new Error('this story has no shop')
  return shop
}

function isShop(value: unknown): value is StoryFixture {
  return typeof value === 'object' && value !== null && 'sandbox' in value && 'fetch' in value
}

/** What a person presses, by its part or its data. */
export async function press(element: CryptoCheckout, selector: string): Promise<void> {
  const control = await waitFor(() => {
    const found = element.shadowRoot?.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(`nothing to press at ${selector}`)
    return found
  }, patience)
  control.click()
}
