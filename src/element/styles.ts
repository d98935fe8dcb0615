/**
 * How it looks until there is something to pay; the desk brings the rest. Private names (`--_…`) take a theme's public
 * ones (`--checkout-…`) or a default of our own; nothing below them names a colour. Sizes follow the element's own
 * width, never the window's; directions are logical.
 */
import {css} from 'lit'

const dark = css`
  --_accent: var(--checkout-accent, #8fb3ff);
  --_on-accent: var(--checkout-on-accent, #0a1730);
  --_surface: var(--checkout-surface, #15181d);
  --_text: var(--checkout-text, #eef1f5);
  --_muted: var(--checkout-muted, #a6b0bd);
  --_border: var(--checkout-border, #333b46);
  --_danger: var(--checkout-danger, #ff9d94);
  --_success: var(--checkout-success, #6fdc9c);
  color-scheme: dark;
`

export const styles = css`
  :host {
    --_accent: var(--checkout-accent, #1c50d6);
    --_on-accent: var(--checkout-on-accent, #fff);
    --_surface: var(--checkout-surface, #fff);
    --_text: var(--checkout-text, #161a20);
    --_muted: var(--checkout-muted, #56606d);
    --_border: var(--checkout-border, #d9dee5);
    --_danger: var(--checkout-danger, #b3261e);
    --_success: var(--checkout-success, #12703a);
    --_radius: var(--checkout-radius, 12px);
    --_inner: calc(var(--_radius) * 2 / 3);
    --_space: var(--checkout-space, 8px);
    --_more: calc(var(--_space) * 2);
    --_edge: color-mix(in srgb, var(--_text) 48%, var(--_surface));
    --_tint: color-mix(in srgb, var(--_text) 4%, var(--_surface));
    color-scheme: light;
    display: block;
    font: 1rem/1.5 var(--checkout-font, system-ui, sans-serif);
    text-align: start;
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      ${dark}
    }
  }
  :host([theme='dark']) {
    ${dark}
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
    margin: 0;
    padding: 0;
    min-inline-size: 0;
  }
  ul {
    list-style: none;
  }
  h2 {
    font-size: 1.125rem;
    line-height: 1.3;
  }
  b,
  strong,
  [part='price'] {
    font-weight: 600;
  }

  [part='base'] {
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    color: var(--_text);
    container-type: inline-size;
    max-inline-size: 720px;
    overflow: hidden;
    overflow-wrap: anywhere;
    position: relative;
  }
  :host([phase='idle']) [part='base'] {
    display: none;
  }
  [part='header'] {
    align-items: center;
    border-block-end: 1px solid var(--_border);
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) var(--_more);
    padding: var(--_more);
  }
  [part='header']:not(:has(p, button)) {
    border: 0;
    padding-block-end: 0;
  }
  .order {
    flex: 1 1 8rem;
  }
  [part='price'] {
    font-size: 1.25rem;
    line-height: 1.3;
  }
  [part='test-badge'] {
    border: 1px solid;
    border-radius: 9em;
    color: var(--_danger);
    font-size: 0.8125rem;
    padding-inline: 10px;
  }
  [part='countdown'] {
    font-variant-numeric: tabular-nums;
  }
  .view {
    display: grid;
    gap: calc(var(--_space) * 1.5);
    justify-items: start;
    padding: var(--_more);
  }
  .loading {
    min-block-size: 8rem;
  }
  ::slotted([slot='footer']) {
    margin: 0 var(--_more) var(--_more);
  }
  .fine {
    color: var(--_muted);
    font-size: 0.875rem;
    font-weight: 400;
  }
  .data {
    font-family: ui-monospace, monospace;
  }
  .unseen {
    block-size: 1px;
    clip-path: inset(50%);
    inline-size: 1px;
    overflow: hidden;
    position: absolute;
    white-space: nowrap;
  }

  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  button,
  input,
  .main {
    background: none;
    border: 1px solid var(--_edge);
    border-radius: var(--_inner);
    color: inherit;
    font: inherit;
    line-height: 1.25;
    min-block-size: 44px;
    padding: var(--_space) var(--_more);
  }
  button {
    cursor: pointer;
  }
  button:hover {
    background: var(--_tint);
  }
  :disabled {
    color: var(--_muted);
    cursor: default;
  }
  .main,
  .main:hover {
    background: var(--_accent);
    border-color: transparent;
    color: var(--_on-accent);
    font-weight: 600;
  }
  .quiet {
    border-color: transparent;
    color: var(--_accent);
    padding-inline: 0;
    text-decoration: underline;
  }
  .search,
  input,
  ul,
  .notice,
  .choice {
    inline-size: 100%;
  }

  [part='assets'] {
    border: solid var(--_border);
    border-width: 1px 0;
    max-block-size: 27rem;
    overflow-y: auto;
  }
  [part='assets'] > li + li {
    border-block-start: 1px solid var(--_border);
  }
  .choice {
    align-items: center;
    border: 0;
    border-radius: 0;
    display: grid;
    gap: 0 calc(var(--_space) * 1.5);
    grid-template-columns: auto 1fr auto;
    min-block-size: 56px;
    padding-inline: var(--_space);
    text-align: start;
  }
  .choice:focus-visible {
    outline-offset: -3px;
  }
  .asked {
    background: var(--_tint);
    color: var(--_accent);
  }
  .logo {
    background: var(--_tint);
    block-size: 32px;
    border-radius: 50%;
    color: var(--_muted);
    display: grid;
    font-weight: 600;
    inline-size: 32px;
    overflow: hidden;
    place-items: center;
    position: relative;
  }
  .logo img {
    background: #fff;
    block-size: 100%;
    inline-size: 100%;
    inset: 0;
    position: absolute;
  }
  .nested {
    background: var(--_tint);
    padding: 0 var(--_more) var(--_space);
  }
  .nested .choice {
    background: var(--_surface);
    border: 1px solid var(--_edge);
    border-radius: var(--_inner);
    grid-template-columns: 1fr auto;
    margin-block: calc(var(--_space) / 2);
  }

  .notice {
    background: var(--_tint);
    border: 1px solid var(--_border);
    border-radius: var(--_inner);
    display: grid;
    gap: var(--_space);
    justify-items: start;
    padding: var(--_space) var(--_more);
  }
  .alarm {
    border: 2px solid var(--_danger);
  }

  dialog {
    background: none;
    border: 0;
    inline-size: min(100% - 16px, 720px);
    margin: auto;
  }
  ::backdrop {
    background: #000a;
  }
  @container (max-width: 360px) {
    .choice,
    .nested .choice {
      grid-template-columns: auto 1fr;
    }
    .hint {
      grid-column: 2;
    }
    .nested .hint {
      grid-column: span 2;
    }
  }
`
