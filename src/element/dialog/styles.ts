/** Centred, or a bottom sheet in a small window. */
import {css} from 'lit'

export const dialogStyles = css`
  dialog {
    background: none;
    border: 0;
    border-radius: var(--_radius);
    box-shadow: 0 24px 64px #0005;
    inline-size: min(100% - 32px, 560px);
    margin: auto;
    max-block-size: calc(100dvb - 32px);
    max-inline-size: none;
    overflow: auto;
    overscroll-behavior: contain;
    /* The dialogs of libraries turn both off for the rest of the page. */
    pointer-events: auto;
    user-select: text;
    /* Keeps the focused control clear of the sticky header. */
    scroll-padding-block-start: 112px;
  }
  ::backdrop {
    background: #0009;
  }
  /* The header with the close button is sticky, unless the window is too low. */
  dialog [part='base'] {
    max-inline-size: none;
    overflow: clip;
  }
  dialog [part='header'] {
    background: var(--_surface);
    inset-block-start: 0;
    position: sticky;
    z-index: 1;
  }
  [part='close'] {
    margin: calc(var(--_space) / -2) calc(var(--_space) * -1.25);
    margin-inline-start: 0;
    padding: 0;
    color: var(--_muted);
    inline-size: 44px;
  }

  [part='leave-dialog'] {
    background: var(--_surface);
    color: var(--_text);
    inline-size: min(100% - 32px, 400px);
  }
  [part='leave-dialog']::backdrop {
    background: #0006;
  }
  [part='leave-dialog'] form {
    display: grid;
    gap: var(--_space);
    padding: calc(var(--_space) * 3);
  }
  [part='leave-dialog'] p {
    color: var(--_muted);
    margin-block-end: var(--_space);
  }

  @media (max-width: 480px) {
    dialog:not([part='leave-dialog']) {
      border-end-end-radius: 0;
      border-end-start-radius: 0;
      inline-size: 100%;
      margin-block-end: 0;
      max-block-size: calc(100dvb - 16px);
    }
    dialog [part='base'] {
      border: 0;
      border-radius: 0;
      padding-block-end: env(safe-area-inset-bottom);
    }
  }
  @media (max-height: 480px) {
    dialog {
      scroll-padding: 0;
    }
    dialog [part='header'] {
      position: static;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    dialog[open],
    dialog[open]::backdrop {
      animation: appear 0.2s ease-out;
    }
    dialog[open] {
      animation-name: rise;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: 0 16px;
    }
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid;
    }
  }
`
