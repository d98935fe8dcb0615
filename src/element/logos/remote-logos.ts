/** The service's logos, which the customer's browser loads from other hosts. */
import {html, nothing} from 'lit'
import {live} from 'lit/directives/live.js'
import type {DrawLogos} from './draw-logos.js'

/** The monogram is below the image, so that it shows until the image has loaded, or if it fails. */
export function createRemoteLogos(): DrawLogos {
  const loaded = new Set<string>()
  const draw: DrawLogos['asset'] = ({logo: url}) =>
    url?.startsWith('https://')
      ? html`<img
          class=${live(loaded.has(url) ? 'loaded' : '')}
          src=${url}
          alt=""
          loading="lazy"
          referrerpolicy="no-referrer"
          @load=${({currentTarget}: Event) => {
            loaded.add(url)
            if (currentTarget instanceof Element) currentTarget.className = 'loaded'
          }}
        />`
      : nothing
  // The service has no logos of networks.
  return {asset: draw, network: () => nothing, svg: () => undefined}
}
