/**
 * Private properties (`--_…`) take the public ones (`--checkout-…`) or a default. Tints are mixed from them, so that a
 * theme that sets two colours is complete.
 */
import {css} from 'lit'

const dark = css`
  --_accent: var(--checkout-accent, #8fb0ff);
  --_on-accent: var(--checkout-on-accent, #0b1733);
  --_surface: var(--checkout-surface, #16191f);
  --_text: var(--checkout-text, #f0f2f5);
  --_muted: var(--checkout-muted, #a3adba);
  --_border: var(--checkout-border, #2d343f);
  --_danger: var(--checkout-danger, #ff9d94);
  --_success: var(--checkout-success, #6fdc9c);
  color-scheme: dark;
`

export const theme = css`
  :host {
    --_accent: var(--checkout-accent, #1f4fd8);
    --_on-accent: var(--checkout-on-accent, #fff);
    --_surface: var(--checkout-surface, #fff);
    --_text: var(--checkout-text, #151a21);
    --_muted: var(--checkout-muted, #576170);
    --_border: var(--checkout-border, #e0e4ea);
    --_danger: var(--checkout-danger, #b3261e);
    --_success: var(--checkout-success, #0f7040);
    --_radius: var(--checkout-radius, 16px);
    --_radius-small: calc(var(--_radius) * 0.625);
    --_space: var(--checkout-space, 8px);
    --_space-large: calc(var(--_space) * 2);
    --_view-height: 38em;
    --_control-border: color-mix(in srgb, var(--_text) 48%, var(--_surface));
    --_surface-tint: color-mix(in srgb, var(--_text) 4%, var(--_surface));
    --_surface-warning: color-mix(in srgb, var(--_danger) 7%, var(--_surface));
    color-scheme: light;
    display: block;
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      ${dark}
    }
  }
  :host([theme='dark']) {
    ${dark}
  }
  :host([hidden]) {
    display: none;
  }
`
