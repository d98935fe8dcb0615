/** What the desk's views need beyond the element's own styles. */
import {css} from 'lit'

export const deskStyles = css`
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: var(--_space) var(--_more);
  }
  a {
    color: var(--_accent);
  }
  a.main {
    display: inline-block;
    line-height: 26px;
    text-decoration: none;
  }

  .pay,
  .facts {
    display: grid;
    gap: var(--_more);
    inline-size: 100%;
  }
  .facts {
    align-content: start;
  }
  .field {
    display: grid;
    gap: calc(var(--_space) / 2);
    justify-items: start;
  }
  .amount {
    font-size: 1.5rem;
    font-variant-numeric: tabular-nums;
    font-weight: 600;
    line-height: 1.25;
  }
  [part='amount'],
  [part='address'] {
    unicode-bidi: isolate;
    user-select: all;
  }
  [part='address'] {
    font:
      1rem/1.6 ui-monospace,
      monospace;
  }
  [part='address'] span {
    display: inline-block;
    margin-inline-end: 0.5em;
  }
  [part='address'] span:nth-child(even) {
    color: var(--_muted);
  }
  .only {
    border-inline-start: 3px solid var(--_danger);
    font-size: 0.9375rem;
    padding-inline-start: calc(var(--_space) * 1.5);
  }
  .code {
    align-content: start;
    display: grid;
    justify-items: center;
    text-align: center;
  }
  .qr {
    border: 1px solid var(--_border);
    border-radius: var(--_inner);
    display: block;
    forced-color-adjust: none;
    inline-size: 220px;
    margin-block-end: var(--_space);
    max-inline-size: 100%;
  }
  figcaption {
    font-weight: 600;
  }
  figcaption span {
    display: inline-block;
  }

  dl {
    display: grid;
    inline-size: 100%;
    gap: calc(var(--_space) / 2);
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
  .payments li {
    border-block-start: 1px solid var(--_border);
    display: grid;
    padding-block: var(--_space);
  }
  .receipt {
    border-block-start: 1px solid var(--_border);
    display: grid;
    gap: var(--_space);
    inline-size: 100%;
    padding-block-start: calc(var(--_space) * 1.5);
  }
  .mark {
    block-size: 40px;
    border: 2px solid;
    border-radius: 50%;
    color: var(--_muted);
    fill: none;
    inline-size: 40px;
    padding: 6px;
    stroke: currentcolor;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 2;
  }
  .done {
    color: var(--_success);
  }

  @container (min-width: 540px) {
    .pay {
      grid-template-columns: 220px 1fr;
      gap: calc(var(--_space) * 3);
    }
  }
`
