/** What the desk's views need beyond the element's own styles. */
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
  /* Where one reads from right to left. */
  [part='back'] .icon:dir(rtl),
  .progress:dir(rtl) {
    transform: scaleX(-1);
  }

  /* In one column there is more to pay with than a list is high; what follows does not shrink again. */
  @container (max-width: 539.9px) {
    .expanded {
      min-block-size: 54em;
    }
    .expanded .help {
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
    gap: var(--_more);
    inline-size: 100%;
  }
  .facts {
    align-content: start;
    border: 1px solid var(--_border);
    border-radius: var(--_inner);
    display: grid;
    overflow: hidden;
  }
  .field {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_space);
    padding-block: calc(var(--_space) / 2) calc(var(--_space) * 1.5);
    padding-inline: var(--_more) var(--_space);
  }
  .field > p:first-child {
    padding-block: calc(var(--_space) / 2);
  }
  /* The button is seen beside the label, or below a long one, and heard after what it copies. */
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
    background: var(--_warm);
    display: grid;
    font-size: 0.9375em;
    gap: 10px;
    grid-template-columns: auto 1fr;
    padding: calc(var(--_space) * 1.5) var(--_more);
  }
  .warning .icon {
    color: var(--_danger);
    margin-block-start: 1px;
  }
  .code {
    align-content: start;
    display: grid;
    gap: var(--_space);
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    text-align: center;
  }
  .frame {
    border: 1px solid var(--_border);
    border-radius: var(--_inner);
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
    background: var(--_tint);
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

  .top {
    align-items: start;
    display: grid;
    gap: var(--_more);
    grid-template-columns: auto 1fr;
  }
  .top > div {
    align-self: center;
  }
  .top p,
  .waiting p {
    color: var(--_muted);
    margin-block-start: 2px;
  }
  .mark .icon {
    block-size: 24px;
    inline-size: 24px;
  }
  .progress {
    block-size: 8px;
    border-radius: 4px;
    fill: var(--_accent);
    inline-size: 100%;
  }
  .progress .whole {
    fill: color-mix(in srgb, var(--_text) 12%, var(--_surface));
  }
  .mark {
    background: var(--_tint);
    block-size: 48px;
    border-radius: 50%;
    color: var(--_muted);
    display: grid;
    inline-size: 48px;
    place-items: center;
  }
  .mark.wait,
  .mark.part {
    color: var(--_accent);
  }
  .mark.done {
    background: color-mix(in srgb, var(--_success) 12%, var(--_surface));
  }
  .done {
    color: var(--_success);
  }

  .entries,
  .receipt {
    inline-size: 100%;
  }
  .entries {
    display: grid;
    gap: var(--_space);
  }
  .entry {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_more);
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
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--_more);
    justify-content: space-between;
  }
  .state {
    font-size: 0.9375em;
    font-weight: 600;
  }
  .state:not(.done) {
    color: var(--_muted);
  }
  .receipt {
    border: 1px solid var(--_border);
    border-radius: var(--_inner);
    display: grid;
    gap: calc(var(--_space) * 1.5);
    justify-items: start;
    padding: var(--_more);
  }
  .receipt .payments li:last-child {
    padding-block-end: 0;
  }
  .help {
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
    .mark.wait .icon {
      animation: turn 2s linear infinite;
    }
    .mark.done .icon {
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
