/** The element in the page, with the attributes and the theme of the state. */
import {browserEnvironment} from '../../../src/element/browser-environment.js'
import type {Clock} from '../../../src/contract/clock.js'
import type {CryptoCheckout} from '../../../src/index.js'
import {attributesOf} from './attributes.js'
import {SHOP, type Session} from './session.js'
import type {PlaygroundState} from './state.js'
import {defaultColors} from './element-colors.js'
import {propertiesOf} from './theme.js'

/** @param onLeave called instead of following a link to the shop */
export function createPreview(
  session: Session,
  clock: Clock,
  state: PlaygroundState,
  onLeave: (address: string) => void,
): CryptoCheckout {
  const element = document.createElement('crypto-checkout')
  element.environment = {...browserEnvironment, clock, navigate: onLeave}
  element.fetch = session.fetch
  element.addEventListener('click', event => {
    const link = event.composedPath().find(target => target instanceof HTMLAnchorElement)
    if (link?.href !== SHOP) return
    event.preventDefault()
    onLeave(link.href)
  })
  updatePreview(element, state)
  if (state.hasCharge) element.chargeId = session.chargeId
  return element
}

const names = [
  'asset',
  'network',
  'locale',
  'dir',
  'theme',
  'qr',
  'wallets',
  'auto-redirect',
  'forget',
  'modal',
] as const

export function updatePreview(element: CryptoCheckout, state: PlaygroundState): void {
  const attributes = attributesOf(state)
  for (const name of names) {
    const {[name]: value} = attributes
    if (value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.removeAttribute('style')
  for (const [name, value] of propertiesOf(state.theme, defaultColors)) element.style.setProperty(name, value)
}
