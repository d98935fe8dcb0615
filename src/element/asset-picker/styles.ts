import {css} from 'lit'

export const assetPickerStyles = css`
  .search {
    display: block;
    position: relative;
  }
  .search .icon {
    inset-block: 0;
    inset-inline-start: 12px;
    margin-block: auto;
    pointer-events: none;
    position: absolute;
  }
  [part='search'] {
    appearance: none;
    padding-inline-start: 2.5em;
    text-overflow: ellipsis;
  }
  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  .part {
    display: grid;
    gap: calc(var(--_space) / 2);
    justify-items: start;
  }
  .part-field {
    align-items: center;
    display: flex;
    gap: var(--_space);
    max-inline-size: 100%;
  }
  [part='part-amount'] {
    inline-size: 8em;
  }
  [aria-invalid] {
    border-color: var(--_danger);
  }
  .part:has([aria-invalid]) .small {
    color: var(--_danger);
  }

  /* Rows out of view cost no layout. */
  [part='assets'].long > li {
    contain-intrinsic-block-size: auto 60px;
    content-visibility: auto;
  }
  .no-results {
    padding: calc(var(--_space) * 4) var(--_space-large);
    text-align: center;
  }

  .option:focus-visible {
    border-radius: var(--_radius-small);
    outline-offset: -3px;
  }
  .option b,
  .name .small {
    display: block;
  }
  .option .small,
  .trait {
    font-size: min(0.8125em, 6cqi);
    line-height: 1.4;
  }
  .hint {
    position: relative;
    text-align: end;
  }
  /* As wide as its badges, which replace its text. */
  [aria-expanded] > .hint {
    min-inline-size: 7em;
  }
  .standard,
  .part-field {
    white-space: nowrap;
  }
  /* Korean breaks between words. */
  :lang(ko) {
    word-break: keep-all;
  }
  [part='network'] .logo {
    block-size: min(2.25em, 12cqi);
    inline-size: min(2.25em, 12cqi);
  }
  .trait {
    color: var(--_text);
    display: block;
  }
  .option[aria-expanded='true'],
  .nested {
    background: var(--_surface-tint);
  }
  .rows .icon {
    color: var(--_muted);
  }
  .option:not([aria-expanded]) .icon:dir(rtl) {
    scale: -1 1;
  }
  [aria-expanded] .icon {
    transition: rotate 0.2s;
  }
  [aria-expanded='true'] .icon {
    rotate: 180deg;
  }
  .option[aria-disabled] {
    cursor: default;
  }
  .option[aria-disabled]:hover {
    background: none;
  }
  [aria-disabled] b,
  [aria-disabled] .logo {
    color: var(--_muted);
    filter: grayscale(1);
    font-weight: 400;
  }
  .requested .hint,
  .requested .icon {
    color: var(--_accent);
  }

  /* The badges of an asset's networks; screen readers read their number, which stays where it was. */
  .hint .logo {
    block-size: 1.5em;
    display: inline-block;
    inline-size: 1.5em;
    margin-inline-start: 0.25em;
    vertical-align: middle;
  }
  .hint .logo ~ span:not(.logo) {
    clip-path: inset(50%);
    inset-inline-end: 0;
    position: absolute;
    white-space: nowrap;
  }

  .nested {
    animation: unfold 0.2s;
    display: grid;
    grid-template-rows: 1fr;
  }
  .nested > div {
    min-block-size: 0;
    overflow: hidden;
    padding: 0 var(--_space-large);
    padding-inline-start: calc(2.25em + var(--_space) * 3.5);
  }
  @keyframes unfold {
    from {
      grid-template-rows: 0fr;
    }
  }
  [part='networks'] {
    display: grid;
    gap: var(--_space);
    padding-block: var(--_space) var(--_space-large);
  }
  /* The largest text of a browser would break the name. */
  [part='network'].option {
    background: var(--_surface);
    font-size: min(1em, 7cqi);
    grid-template-columns: auto 1fr 1.25em;
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    padding-inline: calc(var(--_space) * 1.5);
  }
  [part='network'].option:hover,
  [part='network'].requested {
    border-color: var(--_accent);
  }
  [part='network'][aria-disabled]:hover {
    border-color: var(--_border);
  }

  .requested:not([aria-expanded]) .icon {
    animation: turn 0.9s linear infinite;
  }

  @container (max-width: 26em) {
    .nested > div {
      padding-inline-start: var(--_space-large);
    }
  }
  @container (max-width: 21em) {
    .hint {
      grid-area: 2 / 2;
      text-align: start;
    }
  }
  /* At 400 % zoom only the page scrolls, not the list in it. */
  @media (max-height: 480px) {
    .long {
      flex: none;
    }
  }
  @media (forced-colors: active) {
    [aria-disabled] :is(b, span) {
      color: GrayText;
    }
  }
  @media (prefers-reduced-motion) {
    .nested,
    .rows .icon {
      animation-duration: 1ms;
      animation-iteration-count: 1;
      transition: none;
    }
  }
`
