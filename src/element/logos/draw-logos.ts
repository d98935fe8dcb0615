import {html, nothing, type TemplateResult} from 'lit'
import type {AssetOption, NetworkOption} from '../../contract/checkout.js'
import type {Renderable} from '../views/context.js'

/** What covers a monogram; nothing if there is no logo. */
export interface DrawLogos {
  /** `network`: the one to name with a badge. */
  asset(
    asset: Pick<AssetOption, 'symbol' | 'logo'>,
    network?: Pick<NetworkOption, 'id' | 'standard'>,
  ): Renderable
  network(id: string): Renderable
  /** The markup of an SVG of 24 units, for the centre of a QR code. */
  svg(symbol: string): string | undefined
}

/** The monogram, which the style adds, is below the logo: it shows until the logo has loaded, or if there is none. */
export function logo(name: string, cover: Renderable | undefined): TemplateResult {
  return html`<span class="logo" aria-hidden="true" data-letter=${[...name][0] ?? nothing}>${cover}</span>`
}
