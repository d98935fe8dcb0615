/** The loading placeholder, and the styles that it shares with the asset list. */
import {css} from 'lit'

export const skeletonStyles = css`
  .rows,
  .skeleton .search {
    border: 1px solid var(--_border);
    border-radius: var(--_radius-small);
    overflow-y: auto;
  }
  .rows > li + li {
    border-block-start: 1px solid var(--_border);
  }
  /* It scrolls in what is left of the view, so that searching does not change the height of the page. */
  .long {
    flex: 1 1 0;
    min-block-size: 12em;
  }

  .option {
    align-items: center;
    border: 0;
    border-radius: 0;
    display: grid;
    gap: 0 calc(var(--_space) * 1.5);
    grid: auto / auto 1fr fit-content(34%) 1.25em;
    font-weight: inherit;
    justify-content: initial;
    min-block-size: 60px;
    padding: var(--_space) var(--_space-large);
    text-align: start;
  }
  .skeleton {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: inherit;
    inline-size: 100%;
    max-block-size: 33em;
  }
  /* The heading while no translation is loaded. */
  .blank {
    block-size: 1.625em;
  }
  .skeleton i {
    animation: breathe 1.6s ease-in-out infinite alternate;
    background: var(--_border);
    border-radius: 4px;
    block-size: 12px;
    inline-size: 25%;
  }
  .skeleton .search {
    background: none;
    block-size: 44px;
    inline-size: 100%;
  }
  .skeleton .logo {
    block-size: 2.25em;
    border-radius: 50%;
    inline-size: 2.25em;
  }
  .skeleton .option :last-child {
    inline-size: 64px;
  }
  .skeleton .rows {
    overflow: hidden;
  }
  @keyframes breathe {
    to {
      opacity: 0.5;
    }
  }

  @container (max-width: 21em) {
    .option {
      align-content: center;
      grid: auto auto / auto 1fr 1.25em;
    }
    .option > :not(.name, .hint) {
      grid-row: span 2;
    }
  }
  @media (prefers-reduced-motion) {
    .skeleton i {
      animation: none;
    }
  }
`
