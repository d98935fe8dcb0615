import {css} from 'lit'

export const paymentStyles = css`
  a,
  summary {
    color: var(--_accent);
  }
  /* Right-to-left languages. */
  [part='back'] .icon:dir(rtl),
  .bar:dir(rtl) {
    transform: scaleX(-1);
  }
  .title {
    align-items: center;
    display: flex;
    gap: calc(var(--_space) * 1.75);
  }
  .title [part='back'] {
    flex: none;
    inline-size: 32px;
    justify-content: center;
    margin-inline-end: calc(var(--_space) * -1);
    padding-inline: 0;
  }
  /* A problem is shown in place of the usual time, which has two lines on a phone, so that nothing moves. */
  .note {
    font-size: 0.8125em;
    line-height: 1.35;
    margin-block: calc(var(--_space) * -1);
    min-block-size: 2.7em;
  }
  .note p {
    display: inline;
    font-size: inherit;
  }
  .note b {
    color: var(--_danger);
  }
  /* The time is up: no button invites a new payment. */
  .over .primary,
  .over .primary:hover {
    background: none;
    border-color: var(--_control-border);
    color: var(--_text);
  }
  .sent .row,
  .again,
  .progress {
    inline-size: 100%;
  }
  /* One line: a number that breaks reads as another one. */
  .number {
    display: inline-block;
    white-space: nowrap;
  }
  h2 .number {
    font-size: min(1em, (100cqi - min(4.5em, 90px) - 40px) / var(--_length, 12) / 0.7);
  }
  .view:has(> .pay) {
    gap: calc(var(--_space) * 1.5);
    padding-block: calc(var(--_space) * 1.5);
  }
  .pay,
  .send {
    align-content: start;
    display: grid;
    gap: var(--_space-large);
    inline-size: 100%;
  }
  .send,
  [part='exchange'] {
    --_line: 100cqi - 70px;
  }
  .send {
    gap: var(--_space);
  }
  .instructions {
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
    padding: var(--_space) var(--_space-large);
  }
  /* The button is visually beside the label, or below a long one; in reading order it follows what it copies. */
  .field > dd:not(.control) {
    flex: 1 0 100%;
    order: 1;
  }
  .field .copy {
    margin-block: -10px 0;
    /* The card would cut it. */
    outline-offset: -3px;
  }
  .field + .field {
    border-block-start: 1px solid var(--_border);
  }
  .amount {
    font-size: min(1.75em, (var(--_line)) / var(--_length, 12) / 0.7);
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    line-height: 1.25;
  }
  .symbol {
    font-size: 0.7em;
  }
  [part='amount'],
  [part='exchange-amount'],
  [part='address'] {
    unicode-bidi: isolate;
    user-select: all;
  }
  /* A block, so that it begins at its own left end in right-to-left text. */
  [part='address'] {
    display: block;
    font:
      500 1.0625em/1.45 ui-monospace,
      monospace;
    text-wrap: balance;
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
    gap: 2px 10px;
    grid-template-columns: auto 1fr;
    padding: var(--_space) var(--_space-large);
  }
  .warning .icon {
    color: var(--_danger);
    margin-block-start: 1px;
  }
  .warning p {
    grid-column: 2;
  }

  .exchange {
    align-items: center;
    display: grid;
    gap: var(--_space);
    grid-template-columns: 1fr min(8em, 40%);
    padding-block-end: var(--_space);
  }
  .exchange > :not(label, input) {
    grid-column: 1 / -1;
  }
  .exchange p bdi {
    color: var(--_text);
    font-weight: 600;
  }
  .exchange [aria-invalid] {
    border-color: var(--_danger);
  }
  .exchange .amount {
    font-size: 1.25em;
  }
  .exchange bdi {
    font-size: min(1em, (var(--_line)) / var(--_length, 12) / 0.7);
  }
  /* As high as a button. */
  .no-copy {
    block-size: 34px;
  }
  .actions,
  .others,
  [part='wallets'] {
    display: grid;
    gap: var(--_space);
  }
  .others {
    grid-template-columns: repeat(auto-fit, minmax(min(11em, 100%), 1fr));
    padding-block-end: var(--_space);
  }
  .others a {
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
  .others a,
  .others a:hover {
    background: none;
    color: var(--_accent);
  }
  summary {
    align-items: center;
    cursor: pointer;
    display: inline-flex;
    font-weight: 600;
    gap: 0.5em;
    min-block-size: 40px;
  }
  summary::after {
    border: solid;
    border-width: 0 2px 2px 0;
    block-size: 0.5em;
    content: '';
    flex: none;
    inline-size: 0.5em;
    margin-block-start: -0.25em;
    rotate: 45deg;
  }
  details[open] > summary::after {
    margin-block-start: 0.25em;
    rotate: 225deg;
  }
  .divider {
    align-items: center;
    color: var(--_muted);
    display: flex;
    font-size: 0.9375em;
    gap: calc(var(--_space) * 1.5);
  }
  .divider::before,
  .divider::after {
    border-block-start: 1px solid var(--_border);
    content: '';
    flex: 1;
  }
  .test-warning {
    color: var(--_danger);
  }
  /* A button and the line about the fee. */
  .wallets-placeholder {
    block-size: calc(44px + var(--_space) + 1.40625em);
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
    block-size: 1.5em;
    border-radius: 6px;
    color: var(--_text);
    flex: none;
    inline-size: 1.5em;
    line-height: 1.5em;
  }
  /* Covers the edge of the monogram. */
  [part='wallet'] img {
    block-size: calc(100% + 2px);
    inline-size: calc(100% + 2px);
    inset: -1px;
    position: absolute;
  }
  h3 {
    align-items: center;
    display: flex;
    font-size: 1.125em;
    font-weight: 600;
    gap: var(--_space);
  }
  .spinner {
    animation: turn 0.9s linear infinite;
    block-size: 1.125em;
    border: 2px solid var(--_accent);
    border-block-start-color: transparent;
    border-radius: 50%;
    flex: none;
    inline-size: 1.125em;
  }
  [part='wallet-back'] {
    justify-self: start;
  }
  /* Only what is to be compared with the wallet, which sends it. */
  .asking :is(.control, .warning) {
    display: none;
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
    --_network: var(--_border);
    background: color-mix(in srgb, var(--_network) 16%, var(--_surface));
    border: 3px solid var(--_network);
    border-radius: var(--_radius-small);
    inline-size: 264px;
    max-inline-size: 100%;
    overflow: hidden;
  }
  .network-bsc {
    --_network: #f0b90b;
  }
  .network-ethereum {
    --_network: #627eea;
  }
  .network-polygon {
    --_network: #8247e5;
  }
  .network-algorand {
    --_network: var(--_text);
  }
  .qr {
    display: block;
    forced-color-adjust: none;
    inline-size: 100%;
  }
  .centre {
    clip-path: circle(12px at 12px 12px);
  }
  figcaption {
    font-weight: 600;
    padding: 6px var(--_space);
  }
  .qr-figure .number {
    font-size: min(1em, (100cqi - 34px) / var(--_length, 12) / 0.7);
  }
  figcaption .small {
    color: inherit;
  }
  .qr-fold > figure {
    padding-block-start: var(--_space);
  }
  [part='qr-switch'] {
    background: var(--_surface-tint);
    border-color: transparent;
    border-radius: 9em;
    gap: 0;
    padding: 4px;
  }
  [part='qr-switch'] span {
    border-radius: 9em;
    color: var(--_muted);
    font-size: min(0.875em, 4.5cqi);
    padding: 8px 10px;
    white-space: nowrap;
  }
  [part='qr-switch'][aria-checked='true'] span:last-child,
  [part='qr-switch'][aria-checked='false'] span:first-child {
    background: var(--_surface);
    box-shadow: 0 0 0 1px var(--_control-border);
    color: var(--_text);
  }
  dd .small,
  figcaption span {
    display: inline-block;
  }

  /* Long words take another row. */
  [part='steps'] {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space);
  }
  [part='steps'] li {
    border-block-start: 4px solid color-mix(in srgb, var(--_text) 12%, var(--_surface));
    color: var(--_muted);
    flex: 1;
    font-size: min(0.9375em, 5.5cqi);
    min-inline-size: min-content;
    overflow-wrap: normal;
    padding-block-start: 4px;
    position: relative;
  }
  /* These words are also used within sentences. The value uppercase would change Georgian letters. */
  [part='steps'] li::first-letter,
  .note::first-letter,
  .time::first-letter,
  .state::first-letter {
    text-transform: capitalize;
  }
  [part='steps'] [aria-current='step'] {
    color: var(--_text);
    font-weight: 600;
  }
  /* Over the line, because only opacity and transforms are animated without work for each frame. */
  [part='steps'] [aria-current='step']::before {
    background: var(--_accent);
    block-size: 4px;
    content: '';
    inset: -4px 0 auto;
    position: absolute;
  }
  [part='steps'] .past {
    border-color: var(--_success);
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
  .on-paper {
    display: none;
  }
  @container (max-width: 26em) {
    .title {
      gap: max(var(--_space), 0.5em);
    }
    .title h2 {
      font-size: min(1.125em, 9.5cqi);
    }
    .title .logo {
      block-size: min(1.75em, 12cqi);
      inline-size: min(1.75em, 12cqi);
    }
    .title [part='back'] {
      inline-size: 24px;
    }
  }
  /* The largest text of a browser would break words beside the field. */
  @container (max-width: 15em) {
    .exchange {
      grid-template-columns: 1fr;
    }
  }
  /* The whole view fits into 1280 by 720 px, also in longer languages. */
  @container (min-width: 33.75em) {
    .note {
      margin-block-end: -4px;
      min-block-size: 1.35em;
    }
    /* Folded, the QR code needs no column. */
    .pay:not(.asking):has(> figure, > .qr-fold[open]) {
      gap: var(--_space) calc(var(--_space) * 3);
      grid-template: auto 1fr / 1fr max(248px, 36cqi);
    }
    .pay:has(> figure, > .qr-fold[open]) > :last-child {
      grid-area: 1 / 2 / 3;
    }
    /* With wallets, the other column has room. */
    .pay:has(.actions:not(.touch)):has(> figure, > .qr-fold[open]) > .send {
      grid-row: 1 / 3;
    }
    .pay:has(.actions:not(.touch)):has(> figure, > .qr-fold[open]) > :last-child {
      grid-row: 1;
    }
    [part='exchange'] {
      --_line: max(248px, 36cqi) - 70px;
    }
    [part='exchange'] > summary {
      font-size: 0.9375em;
      line-height: 1.25;
      min-block-size: 32px;
    }
    :not(.asking) > .send {
      --_line: min(64cqi - 96px, 100cqi - 346px);
    }
    .frame {
      inline-size: 100%;
    }
  }
  @media not all and (pointer: coarse) {
    .pay .touch {
      display: none;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    [part='steps'] [aria-current='step']::before {
      animation: wait 2s ease-in-out infinite;
    }
    @keyframes wait {
      50% {
        opacity: 0.25;
      }
    }
  }
  @media (prefers-reduced-motion) {
    .spinner {
      animation-duration: 6s;
    }
  }
  @media (forced-colors: active) {
    [part='steps'] [aria-current='false']:not(.past) {
      border-block-start-style: dotted;
    }
    [part='steps'] [aria-current='step']::before {
      background: Highlight;
    }
    .spinner {
      border-block-start-color: Canvas;
    }
  }
  @media print {
    .on-paper {
      display: block;
    }
    .actions,
    [part='exchange'],
    .progress {
      display: none;
    }
  }
`
