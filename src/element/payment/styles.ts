import {css} from 'lit'

export const paymentStyles = css`
  a {
    color: var(--_accent);
  }
  /* Right-to-left languages. */
  [part='back'] .icon:dir(rtl) {
    transform: scaleX(-1);
  }

  .waiting {
    min-block-size: 5.2em;
  }
  .waiting p {
    color: var(--_muted);
    margin-block-start: 6px;
  }
  .waiting h2::before {
    background: var(--_accent);
    block-size: 10px;
    border-radius: 50%;
    content: '';
    display: inline-block;
    inline-size: 10px;
    margin-inline-end: 10px;
    vertical-align: 0.05em;
  }
  .pay {
    display: grid;
    gap: var(--_space-large);
    inline-size: 100%;
  }
  .instructions {
    align-content: start;
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    display: grid;
    overflow: hidden;
  }
  .field,
  .detail-row {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_space);
    justify-content: space-between;
  }
  .field {
    align-items: center;
    padding: calc(var(--_space) * 1.5) var(--_space-large);
  }
  /* The button is visually beside the label, or below a long one; in reading order it follows what it copies. */
  .field > dd:not(.control) {
    flex: 1 0 100%;
    order: 1;
  }
  .field .copy {
    margin-block: -6px 0;
  }
  .field + .field {
    border-block-start: 1px solid var(--_border);
  }
  .amount {
    font-size: clamp(1.25em, 7.5cqi, 2em);
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    line-height: 1.25;
  }
  .symbol {
    font-size: 0.7em;
  }
  [part='amount'],
  [part='address'] {
    unicode-bidi: isolate;
    user-select: all;
  }
  /* A block, so that it begins at its own left end in right-to-left text. */
  [part='address'] {
    display: block;
    font:
      500 1.0625em/1.5 ui-monospace,
      monospace;
  }
  /* Inline, because the browser's search finds no text across blocks. */
  [part='address'] span {
    margin-inline-end: 0.4em;
  }
  [part='address'] span:nth-of-type(even) {
    color: var(--_muted);
  }
  .warning {
    align-items: start;
    background: var(--_surface-warning);
    display: grid;
    font-size: 0.9375em;
    gap: 10px;
    grid-template-columns: auto 1fr;
    padding: calc(var(--_space) * 1.5) var(--_space-large);
  }
  .warning .icon {
    color: var(--_danger);
    margin-block-start: 1px;
  }
  .qr-figure {
    align-content: start;
    display: grid;
    gap: var(--_space);
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    text-align: center;
  }
  .frame {
    position: relative;
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    inline-size: 232px;
    max-inline-size: 100%;
    overflow: hidden;
  }
  .qr-copy,
  .qr-copy:hover {
    background: none;
    block-size: 100%;
    border: 0;
    inline-size: 100%;
    inset: 0;
    position: absolute;
  }
  .qr-copy span {
    background: var(--_surface);
    display: flex;
    padding: 4px 8px;
  }
  .qr {
    display: block;
    forced-color-adjust: none;
    inline-size: 100%;
  }
  figcaption {
    background: var(--_surface-tint);
    border-block-start: 1px solid var(--_border);
    font-weight: 600;
    padding: 6px var(--_space);
  }
  dd .small,
  figcaption span {
    display: inline-block;
  }
  .send {
    align-content: start;
    display: grid;
    gap: var(--_space-large);
  }
  .touch {
    display: none;
    gap: var(--_space);
    grid-template-columns: repeat(auto-fit, minmax(min(11em, 100%), 1fr));
  }
  .touch > :is(.primary, p) {
    grid-column: 1 / -1;
  }
  .touch a:not(.primary) {
    align-items: center;
    border: 1px solid var(--_control-border);
    border-radius: var(--_radius-small);
    display: flex;
    font-weight: 600;
    justify-content: center;
    min-block-size: 44px;
    padding: var(--_space);
    text-align: center;
    text-decoration: none;
  }
  .test-warning {
    color: var(--_danger);
  }
  [part='wallets'] {
    display: grid;
    gap: var(--_space);
  }
  [part='wallet'][aria-disabled='true'] {
    opacity: 0.6;
  }
  [part='wallet-status']:empty {
    display: none;
  }
  [part='send-again'] {
    justify-self: start;
  }
  [part='wallet'] span {
    overflow: hidden;
    position: relative;
  }
  [part='wallet'] span,
  [part='wallet'] img {
    background: var(--_surface);
    block-size: 24px;
    border-radius: 6px;
    color: var(--_text);
    flex: none;
    inline-size: 24px;
    line-height: 24px;
  }
  /* Covers the edge of the monogram. */
  [part='wallet'] img {
    block-size: 26px;
    inline-size: 26px;
    inset: -1px;
    position: absolute;
  }
  @media (pointer: coarse) {
    .touch {
      display: grid;
    }
    .not-touch {
      display: none;
    }
  }

  .done {
    color: var(--_success);
  }

  .details {
    display: grid;
    gap: var(--_space);
    inline-size: 100%;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    font-variant-numeric: tabular-nums;
    font-weight: 500;
  }
  @container (min-width: 33.75em) {
    .pay {
      gap: calc(var(--_space) * 3);
      grid-template-columns: 1fr 232px;
    }
    .amount {
      font-size: clamp(1.375em, 4.4cqi, 2em);
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .waiting h2::before {
      animation: wait 2s ease-in-out infinite;
    }
    @keyframes wait {
      50% {
        opacity: 0.25;
      }
    }
  }
  @media (forced-colors: active) {
    .waiting h2::before {
      background: CanvasText;
    }
  }
`
