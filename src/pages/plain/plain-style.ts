/** Marks a style sheet for the minifier of the build. */
const css = String.raw

/** Added to the styles of the page and of the element, of which it changes what needs a script. */
export const plainStyle = css`
  main {
    display: grid;
    gap: 16px;
    grid-template-columns: minmax(0, 1fr);
  }
  .checkout h2 {
    margin: 0;
  }
  /* Nothing appears later. */
  .checkout .view,
  .checkout .order-summary {
    min-block-size: 0;
  }
  /* The page scrolls, not the list. */
  .checkout .view:has(> .long) {
    block-size: auto;
  }
  .checkout .long {
    flex: none;
  }
  /* Each page is complete from the start. */
  .checkout .nested,
  .checkout .status-icon .icon {
    animation: none;
  }
  /* No countdown says it. */
  .checkout .on-paper {
    display: block;
  }
  .checkout [aria-disabled] {
    cursor: default;
  }
  .reload {
    color: var(--page-muted);
    display: flex;
    flex-wrap: wrap;
    gap: 4px 24px;
    padding-inline: 4px;
  }
  .reload a {
    color: inherit;
    padding-block: 10px;
    text-underline-offset: 3px;
  }
  @media print {
    .reload {
      display: none;
    }
  }
`
