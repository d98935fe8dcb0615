/**
 * Private properties (`--_…`) take the public ones (`--checkout-…`) or a default. Tints are mixed from them, so that a
 * theme that sets two colours is complete.
 */
import {css, unsafeCSS, type CSSResult} from 'lit'
import {entriesOf} from '../../core/built-ins.js'

/** The defaults of light and dark. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  accent: ['#1f4fd8', '#8fb0ff'],
  'on-accent': ['#fff', '#0b1733'],
  surface: ['#fff', '#16191f'],
  text: ['#151a21', '#f0f2f5'],
  muted: ['#576170', '#a3adba'],
  border: ['#e0e4ea', '#2d343f'],
  danger: ['#b3261e', '#ff9d94'],
  success: ['#0f7040', '#6fdc9c'],
}

function declare(choose: (light: string, dark: string) => string): CSSResult {
  return unsafeCSS(
    entriesOf(colours)
      .map(([name, [light, dark]]) => `--_${name}:var(--checkout-${name}, ${choose(light, dark)});`)
      .join(''),
  )
}

/**
 * `auto` follows the `color-scheme` of the page, which follows the system only if the page says so. Browsers without
 * `light-dark()` show it light.
 */
export const theme = css`
  :host {
    ${declare(light => light)}
    --_radius: var(--checkout-radius, 16px);
    --_radius-small: calc(var(--_radius) * 0.625);
    --_space: var(--checkout-space, 8px);
    --_space-large: calc(var(--_space) * 2);
    --_view-height: 36em;
    --_control-border: color-mix(in srgb, var(--_text) 48%, var(--_surface));
    --_surface-tint: color-mix(in srgb, var(--_text) 4%, var(--_surface));
    --_surface-warning: color-mix(in srgb, var(--_danger) 7%, var(--_surface));
    color-scheme: light;
    display: block;
  }
  @supports (color: light-dark(#000, #fff)) {
    :host(:not([theme='light'])) {
      ${declare((light, dark) => `light-dark(${light},${dark})`)}
      color-scheme: inherit;
    }
  }
  :host([theme='dark']) {
    ${declare((_, dark) => dark)}
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
`
