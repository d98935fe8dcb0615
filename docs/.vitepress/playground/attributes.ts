/** The attributes of the element, apart from the charge. The preview and the snippets have the same. */
import type {PlaygroundState} from './state.js'

/** By attribute name. `true` is a boolean attribute. */
export type Attributes = Readonly<Record<string, string | true>>

export function attributesOf(state: PlaygroundState): Attributes {
  const {pair, locale, direction, colorScheme, qr, wallets, autoRedirect, forget, modal} = state
  return {
    ...(pair && {asset: pair.asset, network: pair.network}),
    ...(locale && {locale}),
    ...(direction && {dir: direction}),
    ...(colorScheme !== 'auto' && {theme: colorScheme}),
    ...(qr !== 'address' && {qr}),
    ...(wallets !== 'auto' && {wallets}),
    ...(autoRedirect && {'auto-redirect': true}),
    ...(forget && {forget: true}),
    ...(modal && {modal: true}),
  }
}
