/** The service's logos, which the customer's browser loads from other hosts. A lazy chunk for `logos="remote"`. */
import {css, html, nothing} from 'lit'
import type {DrawLogo} from './logos.js'

/** The monogram is below the image, so that it shows until the image has loaded, or if it fails. */
export function createLogos(requestUpdate: () => void): DrawLogo {
  const loaded = new Set<string>()
  return ({logo: url}) =>
    url?.startsWith('https://')
      ? html`<img
          class=${loaded.has(url) ? 'loaded' : ''}
          src=${url}
          alt=""
          loading="lazy"
          referrerpolicy="no-referrer"
          @load=${() => {
            loaded.add(url)
            requestUpdate()
          }}
        />`
      : nothing
}

export const logoStyles = css`
  .logo img {
    background: #fff;
    block-size: 100%;
    border-radius: 50%;
    inline-size: 100%;
    inset: 0;
    opacity: 0;
    position: absolute;
  }
  .logo .loaded {
    opacity: 1;
  }
`
