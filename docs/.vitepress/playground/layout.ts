/** The layout of the playground. It depends on its own width, not on the window's. */
import {css, unsafeCSS} from 'lit'
import {widths} from './state.js'

// The policy of the site allows no style attributes.
const widthRules = unsafeCSS(
  widths
    .filter(width => width > 0)
    .map(width => `.frame[data-width='${width}'] { inline-size: ${width}px; }`)
    .join('\n'),
)

export const layout = css`
  :host {
    container-type: inline-size;
  }
  .grid {
    display: grid;
    gap: 24px;
    grid-template-columns: minmax(0, 1fr);
  }
  .bar {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    justify-content: space-between;
    margin-block-end: 12px;
  }
  .phase {
    align-items: center;
    background: color-mix(in srgb, var(--brand) 12%, var(--page));
    border-radius: 99px;
    display: inline-flex;
    font-size: 0.8125rem;
    font-weight: 500;
    gap: 8px;
    padding: 4px 14px;
  }
  .phase::before {
    background: var(--brand);
    block-size: 8px;
    border-radius: 50%;
    content: '';
    inline-size: 8px;
  }
  .phase[data-tone='good'] {
    background: color-mix(in srgb, var(--good) 14%, var(--page));
  }
  .phase[data-tone='good']::before {
    background: var(--good);
  }
  .phase[data-tone='bad'] {
    background: color-mix(in srgb, var(--bad) 12%, var(--page));
  }
  .phase[data-tone='bad']::before {
    background: var(--bad);
  }
  .stage {
    min-block-size: 660px;
  }
  .frame {
    margin-inline: auto;
    max-inline-size: 100%;
  }
  ${widthRules}
  .idle {
    align-items: center;
    border: 1px dashed var(--control-line);
    border-radius: 16px;
    display: grid;
    justify-items: center;
    min-block-size: 240px;
    padding: 24px;
    text-align: center;
  }
  [role='tablist'] {
    background: var(--page);
    border-block-end: 1px solid var(--line);
    display: flex;
    gap: 4px;
    margin-block-end: 20px;
    overflow-x: auto;
    padding: 2px 2px 0;
  }
  [role='tab'] {
    background: none;
    border: 0;
    border-block-end: 2px solid transparent;
    border-radius: 6px 6px 0 0;
    color: var(--quiet);
    padding: 6px 12px;
  }
  [role='tab'][aria-selected='true'] {
    border-block-end-color: var(--brand);
    color: var(--ink);
  }
  /* On a phone the checkout is above, so its phase stays in view. */
  .back {
    inset-block-end: 12px;
    justify-self: center;
    position: sticky;
  }
  .back button {
    align-items: center;
    border-radius: 99px;
    box-shadow: 0 4px 16px rgb(0 0 0 / 18%);
    display: flex;
    gap: 10px;
    padding-inline: 6px 16px;
  }
  .work {
    align-content: start;
    display: grid;
    gap: 28px;
    grid-template-columns: minmax(0, 1fr);
  }
  @container (inline-size >= 860px) {
    .grid {
      align-items: start;
      gap: 32px;
      grid-template-columns: minmax(0, 1fr) minmax(380px, 440px);
    }
    .show {
      inset-block-start: calc(var(--vp-nav-height, 0px) + 16px);
      position: sticky;
    }
    .stage {
      background: light-dark(#eef0f4, #0b0d10);
      border-radius: 20px;
      color-scheme: light;
      padding: 28px;
    }
    .stage[data-scheme='dark'] {
      color-scheme: dark;
    }
    @media (prefers-color-scheme: dark) {
      .stage[data-scheme='auto'] {
        color-scheme: dark;
      }
    }
    .back {
      display: none;
    }
  }
`
