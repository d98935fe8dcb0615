import {css} from 'lit'

export const outcomeStyles = css`
  /* A checkout that ended is as high as its content. */
  :host(
      :is(
        [phase='confirming'],
        [phase='underpaid'],
        [phase='paid'],
        [phase='overpaid'],
        [phase='expired'],
        [phase='cancelled']
      )
    )
    .view {
    min-block-size: 0;
  }
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) calc(var(--_space) * 3);
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
  .status-header p {
    color: var(--_muted);
    margin-block-start: 6px;
  }
  .status-icon .icon {
    block-size: 58%;
    inline-size: 58%;
  }
  .refund {
    display: grid;
    gap: var(--_space);
    padding-block: var(--_space);
  }
  .refund label {
    font-weight: 600;
  }
  .refund textarea {
    font-size: 1em;
    resize: none;
  }
  .refund .error {
    color: var(--_danger);
  }
  .refund .error:empty {
    display: none;
  }
  .refund [aria-invalid] {
    border-color: var(--_danger);
  }
  .bar {
    block-size: 8px;
    border-radius: 4px;
    fill: var(--_accent);
    inline-size: 100%;
  }
  .bar .track {
    fill: color-mix(in srgb, var(--_text) 12%, var(--_surface));
  }
  .status-icon {
    background: var(--_surface-tint);
    block-size: min(3em, 14cqi);
    border-radius: 50%;
    color: var(--_muted);
    display: grid;
    inline-size: min(3em, 14cqi);
    place-items: center;
  }
  .status-icon.wait,
  .status-icon.part {
    color: var(--_accent);
  }
  .status-icon.done {
    color: var(--_success);
    background: color-mix(in srgb, var(--_success) 12%, var(--_surface));
  }

  .payments li {
    border-block-start: 1px solid var(--_border);
    display: grid;
    gap: 2px;
    padding-block: calc(var(--_space) * 1.5);
  }
  /* A number that breaks reads as another one. */
  .payment-amount b {
    font-size: min(1em, 5.4cqi);
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
    inline-size: 100%;
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
  .full,
  .full .primary {
    inline-size: 100%;
  }
  .payments a {
    min-block-size: 24px;
  }
  .payments .row {
    gap: 0 calc(var(--_space) * 2);
    justify-content: space-between;
  }
  /* The property text-overflow would leave the first letter, which fits. */
  .ellipsis::before {
    content: '…';
  }
  .middle {
    font-size: 0;
  }
  /* The largest text of a browser leaves no room beside the icon. */
  @container (max-width: 15em) {
    .status-header {
      grid-template-columns: 1fr;
    }
  }
  @media print {
    .ellipsis {
      display: none;
    }
    .middle {
      font-size: inherit;
    }
    .payments li {
      break-inside: avoid;
    }
  }

  @media (prefers-reduced-motion: no-preference) {
    .status-icon.wait {
      animation: turn 2s linear infinite;
    }
    .status-icon.done .icon {
      animation: draw 0.5s ease-out;
      stroke-dasharray: 20;
    }
    @keyframes draw {
      from {
        stroke-dashoffset: 20;
      }
    }
  }
`
