import {css} from 'lit'

export const paymentStyles = css`
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 3);
  }
  a {
    color: var(--_accent);
  }
  /* Right-to-left languages. */
  [part='back'] .icon:dir(rtl),
  .progress:dir(rtl) {
    transform: scaleX(-1);
  }

  /* In one column the payment view is higher than the asset list. The height stays while the customer pays. */
  @container (max-width: 539.9px) {
    .expanded {
      min-block-size: 54em;
    }
    .expanded .support-hint {
      margin-block-start: 0;
    }
  }

  .waiting {
    min-block-size: 4.7em;
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
  .field {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_space);
    padding-block: calc(var(--_space) / 2) calc(var(--_space) * 1.5);
    padding-inline: var(--_space-large) var(--_space);
  }
  .field > p:first-child {
    padding-block: calc(var(--_space) / 2);
  }
  /* The button is visually beside the label, or below a long one; in reading order it follows what it copies. */
  .field .copy {
    margin-inline: auto 0;
  }
  .field > p:not(:first-child) {
    flex: 1 0 100%;
    order: 1;
  }
  .field + .field {
    border-block-start: 1px solid var(--_border);
  }
  .amount {
    font-size: clamp(1.25em, 8.5cqi, 2em);
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    letter-spacing: -0.01em;
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
  [part='address'] {
    font:
      500 1.0625em/1.5 ui-monospace,
      monospace;
  }
  [part='address'] span {
    display: inline-block;
    margin-inline-end: 0.4em;
  }
  [part='address'] span:nth-child(even) {
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
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    inline-size: 232px;
    max-inline-size: 100%;
    overflow: hidden;
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
  figcaption span {
    display: inline-block;
  }
  .wallet {
    display: none;
  }
  @media (pointer: coarse) {
    .wallet {
      display: inline-flex;
    }
  }

  .status-header {
    align-items: start;
    display: grid;
    gap: var(--_space-large);
    grid-template-columns: auto 1fr;
  }
  .status-header > div {
    align-self: center;
  }
  .status-header p,
  .waiting p {
    color: var(--_muted);
    margin-block-start: 2px;
  }
  .status-icon .icon {
    block-size: 24px;
    inline-size: 24px;
  }
  .progress {
    block-size: 8px;
    border-radius: 4px;
    fill: var(--_accent);
    inline-size: 100%;
  }
  .progress .track {
    fill: color-mix(in srgb, var(--_text) 12%, var(--_surface));
  }
  .status-icon {
    background: var(--_surface-tint);
    block-size: 48px;
    border-radius: 50%;
    color: var(--_muted);
    display: grid;
    inline-size: 48px;
    place-items: center;
  }
  .status-icon.wait,
  .status-icon.part {
    color: var(--_accent);
  }
  .status-icon.done {
    background: color-mix(in srgb, var(--_success) 12%, var(--_surface));
  }
  .done {
    color: var(--_success);
  }

  .details,
  .receipt {
    inline-size: 100%;
  }
  .details {
    display: grid;
    gap: var(--_space);
  }
  .detail-row {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_space-large);
    justify-content: space-between;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    font-variant-numeric: tabular-nums;
    font-weight: 500;
  }
  .payments li {
    border-block-start: 1px solid var(--_border);
    display: grid;
    gap: 2px;
    padding-block: calc(var(--_space) * 1.5);
  }
  .payment-amount {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_space-large);
    justify-content: space-between;
  }
  .state {
    font-size: 0.9375em;
    font-weight: 600;
  }
  .state:not(.done) {
    color: var(--_muted);
  }
  .state.dropped {
    color: var(--_danger);
  }
  .receipt {
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    display: grid;
    gap: calc(var(--_space) * 1.5);
    justify-items: start;
    padding: var(--_space-large);
  }
  .receipt .payments li:last-child {
    padding-block-end: 0;
  }
  .support-hint {
    margin-block-start: auto;
  }

  @container (min-width: 540px) {
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
    .status-icon.wait .icon {
      animation: turn 2s linear infinite;
    }
    .status-icon.done .icon {
      animation: draw 0.5s ease-out;
      stroke-dasharray: 20;
    }
    @keyframes wait {
      50% {
        opacity: 0.25;
      }
    }
    @keyframes draw {
      from {
        stroke-dashoffset: 20;
      }
    }
  }
  @media (forced-colors: active) {
    .waiting h2::before {
      background: CanvasText;
    }
  }
`
