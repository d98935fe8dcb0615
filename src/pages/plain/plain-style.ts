/** Marks a style sheet for the minifier of the build. */
const css = String.raw

/** Added to the styles of the hosted page. Sizes and distances are those of the element. */
export const plainStyle = css`
  :root {
    --surface: var(--checkout-surface, #fff);
    --line: var(--checkout-border, #e0e4ea);
    --danger: var(--checkout-danger, #b3261e);
    --success: var(--checkout-success, #0f7040);
    --radius: var(--checkout-radius, 16px);
    --tint: color-mix(in srgb, var(--page-text) 4%, var(--surface));
    --alarm: color-mix(in srgb, var(--danger) 7%, var(--surface));
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --surface: var(--checkout-surface, #16191f);
      --line: var(--checkout-border, #2d343f);
      --danger: var(--checkout-danger, #ff9d94);
      --success: var(--checkout-success, #6fdc9c);
    }
  }
  .card {
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .card p,
  .card ul,
  .card dl,
  .card dd,
  .card h2,
  figure {
    color: inherit;
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .card header {
    align-items: center;
    border-block-end: 1px solid var(--line);
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    justify-content: space-between;
    padding: 16px;
  }
  .card header > :first-child {
    flex: 1 0 100%;
  }
  .view {
    display: grid;
    gap: 16px;
    grid-template-columns: minmax(0, 1fr);
    padding: 20px 16px;
  }
  .price {
    font-size: 1.5em;
    font-weight: 600;
    line-height: 1.33;
  }
  .time b {
    font-weight: 600;
  }
  .card .small,
  dt {
    color: var(--page-muted);
    font-size: 0.9375em;
  }
  .badge {
    background: var(--alarm);
    border-radius: 9em;
    color: var(--danger);
    float: inline-end;
    font-size: 0.8125em;
    font-weight: 600;
    line-height: 1.7;
    padding-inline: 10px;
  }
  .reload {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
  }
  .data,
  code {
    font-family: ui-monospace, monospace;
    font-size: 0.9em;
  }
  a {
    color: var(--page-accent);
    text-underline-offset: 3px;
  }
  button,
  input,
  .button {
    background: none;
    border: 1px solid color-mix(in srgb, var(--page-text) 48%, var(--surface));
    border-radius: calc(var(--radius) * 0.625);
    color: inherit;
    cursor: pointer;
    display: inline-block;
    font: inherit;
    line-height: 1.25;
    min-block-size: 44px;
    padding: 10px 16px;
    text-align: start;
    text-decoration: none;
  }
  input {
    cursor: text;
  }
  .primary {
    background: var(--page-accent);
    border-color: transparent;
    color: var(--page-on-accent);
    font-weight: 600;
  }
  .rows > li + li {
    margin-block-start: 8px;
  }
  .row {
    align-items: center;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.625);
    display: flex;
    gap: 12px;
    inline-size: 100%;
    min-block-size: 60px;
    padding: 8px 16px;
  }
  .row:not([aria-disabled]):hover {
    background: var(--tint);
    border-color: var(--page-accent);
  }
  .row .option {
    display: flex;
    flex: 1 1 auto;
    flex-wrap: wrap;
    gap: 0 12px;
    justify-content: space-between;
    overflow-wrap: break-word;
  }
  .row[aria-disabled] {
    opacity: 0.6;
  }
  button.row::after,
  summary.row::after {
    border: solid currentcolor;
    border-width: 0 1.75px 1.75px 0;
    block-size: 8px;
    content: '';
    flex: none;
    inline-size: 8px;
    opacity: 0.6;
    rotate: -45deg;
  }
  button.row:dir(rtl)::after {
    rotate: 135deg;
  }
  summary.row {
    cursor: pointer;
    list-style: none;
  }
  summary.row::-webkit-details-marker {
    display: none;
  }
  summary.row::after {
    margin-block-start: -4px;
    rotate: 45deg;
  }
  [open] > summary.row::after {
    margin-block-start: 4px;
    rotate: 225deg;
  }
  details > :not(summary) {
    margin-inline-start: 16px;
  }
  .card details > p {
    margin-block: 12px 8px;
  }
  details li + li {
    margin-block-start: 8px;
  }
  .card .trait {
    padding: 4px 16px 0;
  }
  .logo {
    background: var(--tint);
    block-size: 36px;
    border-radius: 50%;
    color: var(--page-muted);
    display: grid;
    flex: none;
    font-weight: 600;
    inline-size: 36px;
    place-items: center;
  }
  .logo::before {
    content: attr(data-letter) / '';
    font-style: normal;
  }
  .pay {
    align-items: start;
    display: grid;
    gap: 24px;
  }
  .pay dl {
    display: grid;
    gap: 16px;
  }
  .amount {
    font-size: 1.25em;
  }
  .amount b {
    font-size: 1.2em;
    font-weight: 600;
  }
  [data-part] {
    user-select: all;
    -webkit-user-select: all;
  }
  code {
    background: var(--tint);
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.625);
    display: block;
    font-size: 1em;
    margin-block-start: 4px;
    padding: 12px 16px;
  }
  figure {
    background: #fff;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.625);
    color: #151a21;
    justify-self: center;
    padding: 4px 4px 12px;
    text-align: center;
  }
  .card figure .small {
    color: #576170;
  }
  .qr {
    block-size: auto;
    display: block;
    inline-size: 240px;
    max-inline-size: 100%;
  }
  @media (min-width: 640px) {
    .pay {
      grid-template-columns: minmax(0, 1fr) auto;
    }
  }
  .notice,
  .warning {
    background: var(--tint);
    border-radius: calc(var(--radius) * 0.625);
    padding: 12px 16px;
  }
  .card .warning {
    background: var(--alarm);
    padding: 12px 16px;
  }
  .card p.notice {
    padding: 12px 16px;
  }
  .notice[role='alert'] {
    background: var(--alarm);
  }
  .notice > * + * {
    margin-block-start: 8px;
  }
  .done::before {
    color: var(--success);
    content: '✓ ' / '';
  }
  .details > div {
    border-block-end: 1px solid var(--line);
    display: flex;
    gap: 16px;
    justify-content: space-between;
    padding-block: 8px;
  }
  /* The words of a label stay whole beside a long value. */
  .details dt {
    overflow-wrap: break-word;
  }
  .details dd {
    text-align: end;
  }
  .payments > li {
    padding-block: 12px;
  }
  .support {
    border-block-start: 1px solid var(--line);
    padding-block-start: 16px;
  }
  @media print {
    .card {
      border: 0;
    }
    .button,
    button {
      display: none;
    }
    .view {
      gap: 8px;
    }
    .details > div,
    .payments > li {
      padding-block: 4px;
    }
    .pay,
    .payments > li {
      break-inside: avoid;
    }
  }
`
