/**
 * Styles of all views. Font sizes are 13, 15, 16, 20, 24 and 32 px, in `em` of the browser's default size, because many
 * pages set `rem` to 10 px. Distances are multiples of `--_space`. Controls are at least 44 px high. Sizes depend on the
 * element's width, not on the window's; directions are logical.
 */
import {css} from 'lit'

export const base = css`
  * {
    box-sizing: border-box;
    list-style: none;
    margin: 0;
    padding: 0;
    min-inline-size: 0;
  }
  /* The largest text of a browser would break a long word. */
  h2 {
    font-size: min(1.25em, 9.5cqi);
    line-height: 1.3;
  }
  b,
  strong,
  h2,
  [part='price'] {
    font-weight: 600;
  }

  /*
   * Resets inherited text properties: text-transform would change the address. The intrinsic size is for parents that
   * size by content, such as a flex row.
   */
  [part='base'] {
    all: initial;
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    box-sizing: border-box;
    color: var(--_text);
    color-scheme: inherit;
    contain-intrinsic-inline-size: 320px;
    container-type: inline-size;
    display: block;
    font: var(--checkout-font-size, medium) / 1.5 var(--checkout-font, system-ui, sans-serif);
    max-inline-size: 720px;
    overflow: hidden;
    overflow-wrap: anywhere;
    pointer-events: inherit;
    position: relative;
    visibility: inherit;
  }
  :host([phase='idle']) [part='base'] {
    display: none;
  }
  :host([phase='unavailable']) .view {
    min-block-size: 0;
  }
  /* Two lines high from the start, so that nothing below moves when the price is known. */
  [part='header'] {
    align-items: center;
    border-block-end: 1px solid var(--_border);
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) var(--_space-large);
    padding: var(--_space-large);
  }
  ::slotted([slot='header']) {
    flex: 1 0 100%;
  }
  /* The countdown wraps before the price breaks: "49,9 0" reads as another price. */
  .order-summary {
    flex: 1 1 0;
    align-content: center;
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 4px var(--_space-large);
    justify-content: space-between;
    min-block-size: 3.66em;
  }
  /* Space for two lines of description, so that nothing moves when the checkout has loaded. */
  @container (max-width: 26em) {
    .order-summary {
      min-block-size: 5em;
    }
  }
  /* At most two lines, as wide as the card where the text is too large for the badge beside it. */
  .description .small {
    flex: 1 1 9em;
    -webkit-box-orient: vertical;
    display: -webkit-box;
    -webkit-line-clamp: 2;
    overflow: hidden;
  }
  .rest {
    flex-basis: 100%;
  }
  /* The largest text of a browser would break the number. */
  [part='price'] {
    font-size: clamp(min(1.25em, 8.5cqi), 7cqi, 1.5em);
    line-height: 1.33;
  }
  [part='price'] .small {
    font-size: 0.65em;
  }
  .description {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    align-items: start;
    gap: 0 var(--_space);
    justify-content: space-between;
  }
  [part='test-badge'] {
    background: var(--_surface-warning);
    border-radius: 9em;
    color: var(--_danger);
    flex: none;
    font-size: 0.8125em;
    font-weight: 600;
    line-height: 1.7;
    padding-inline: 10px;
  }
  [part='countdown'] {
    align-items: center;
    background: var(--_surface-tint);
    border-radius: 9em;
    display: flex;
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    gap: 6px;
    padding: 4px 12px;
  }
  /* The same height in every phase, so that the page below does not move. */
  .view {
    align-items: start;
    display: flex;
    flex-direction: column;
    gap: var(--_space-large);
    min-block-size: var(--_view-height);
    padding: var(--_space-large);
  }
  ::slotted([slot='footer']) {
    margin: 0 var(--_space-large) var(--_space-large);
  }
  .small {
    color: var(--_muted);
    font-size: 0.9375em;
    font-weight: 400;
  }
  .data {
    font-family: ui-monospace, monospace;
    font-size: 0.9em;
  }
  .icon {
    block-size: 1.25em;
    fill: none;
    flex: none;
    inline-size: 1.25em;
    stroke: currentcolor;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 1.75;
  }
  .logo {
    background: color-mix(in srgb, var(--_text) 10%, var(--_surface));
    block-size: 2.25em;
    border-radius: 50%;
    display: grid;
    flex: none;
    font-weight: 600;
    inline-size: 2.25em;
    place-items: center;
    position: relative;
  }
  .logo::before {
    content: attr(data-letter);
  }
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
  .visually-hidden {
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
  select,
  textarea,
  .primary {
    align-items: center;
    background: none;
    border: 1px solid var(--_control-border);
    border-radius: var(--_radius-small);
    color: inherit;
    font: inherit;
    gap: var(--_space);
    line-height: 1.25;
    min-block-size: 44px;
    padding: var(--_space) var(--_space-large);
  }
  button,
  .primary {
    cursor: pointer;
    display: inline-flex;
    font-weight: 600;
    justify-content: center;
    text-align: center;
    text-wrap: balance;
  }
  button:hover {
    background: var(--_surface-tint);
  }
  .primary,
  .primary:hover {
    background: var(--_accent);
    border-color: transparent;
    color: var(--_on-accent);
    text-decoration: none;
  }
  .primary:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  .secondary {
    border-color: transparent;
    color: var(--_accent);
    margin-inline: calc(var(--_space) * -1);
    /* With the border, its text begins where other text does. */
    padding-inline: calc(var(--_space) - 1px);
    text-align: start;
  }
  .search,
  input,
  select,
  textarea,
  ul,
  .notice,
  .option {
    inline-size: 100%;
  }

  .notice {
    background: var(--_surface-tint);
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    display: grid;
    font-size: 0.9375em;
    gap: var(--_space);
    justify-items: start;
    padding: calc(var(--_space) * 1.5) var(--_space-large);
  }
  .unsure {
    background: var(--_surface-warning);
  }
  .alarm {
    background: var(--_surface-warning);
    border: 2px solid var(--_danger);
  }
  .notice > * {
    font-size: inherit;
  }
  .rows {
    inline-size: 100%;
  }

  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  /* The system's colours take away backgrounds, and show transparent borders. */
  @media (forced-colors: active) {
    .primary,
    .primary:hover {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
      outline-color: Highlight;
    }
    .secondary {
      border-width: 0;
      color: LinkText;
    }
  }
  /* Six payments fit on one page. */
  @media print {
    [part='base'] {
      --_space: 4px;
      --_space-large: 8px;
      font-size: small;
    }
    .view {
      min-block-size: 0;
    }
    button,
    .primary,
    [part='countdown'] {
      display: none;
    }
  }
`
