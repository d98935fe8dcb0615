import {css} from 'lit'

export const iconStyles = css`
  .coin,
  .badge {
    border-radius: 50%;
    /* The edge of black icons in dark. */
    box-shadow: 0 0 0 1px var(--_border);
    overflow: hidden;
    position: absolute;
  }
  .coin {
    inset: 0;
  }
  .badge {
    block-size: 1.25em;
    border: 2px solid var(--_surface);
    inline-size: 1.25em;
    inset: auto -0.375em -0.375em auto;
  }
  .coin svg,
  .badge svg {
    block-size: 100%;
    display: block;
    inline-size: 100%;
  }
`
