import {css, html, LitElement, nothing, type TemplateResult} from 'lit'
import {select} from './controls.js'
import {contrastsOf, defaultColors, readable, type Contrast} from './element-colors.js'
import {StateChangeEvent} from './events.js'
import {initialState, type PlaygroundState} from './state.js'
import {shared} from './styles.js'
import {colorNames, plainTheme, sizes, type ColorName, type Scheme, type Theme} from './theme.js'
import {themeCss} from './theme-css.js'
import {themes} from './themes.js'

const schemes = ['light', 'dark'] as const
const DEFAULT = ''
const fontNames = [
  [DEFAULT, 'of the system'],
  ['serif', 'serif'],
  ['rounded', 'rounded'],
  ['mono', 'monospace'],
  ['page', 'of the page'],
] as const

const sizeNames: Readonly<Record<keyof typeof sizes, {readonly name: string; readonly preset: number}>> = {
  radius: {name: 'Corner radius', preset: 16},
  space: {name: 'Spacing', preset: 8},
  fontSize: {name: 'Text size', preset: 16},
}

/** Sets the custom properties of the element, checks the contrast, and shows the CSS. */
export class PlaygroundThemeEditor extends LitElement {
  static override styles = [
    shared,
    css`
      .segments {
        display: grid;
        gap: 8px;
        grid-template-columns: 1fr 1fr;
      }
      .color {
        align-items: center;
        display: grid;
        gap: 4px 8px;
        grid-template-columns: 40px minmax(0, 1fr);
      }
      .color > span {
        font-size: 0.8125rem;
        font-weight: 500;
        grid-column: span 2;
      }
      input[type='color'] {
        block-size: 40px;
        inline-size: 40px;
        padding: 3px;
      }
      input[type='text'] {
        font-family: var(--mono);
        font-size: 0.8125rem;
        inline-size: 100%;
      }
      input[type='range'] {
        accent-color: var(--brand);
        border: 0;
        inline-size: 100%;
        min-block-size: 32px;
        padding: 0;
      }
      output {
        color: var(--quiet);
        font-variant-numeric: tabular-nums;
        font-weight: 400;
      }
      .size {
        display: flex;
        justify-content: space-between;
      }
      .verdict {
        font-size: 0.875rem;
        font-weight: 500;
      }
      .verdict[data-passed] {
        color: var(--good);
      }
      .verdict:not([data-passed]) {
        color: var(--bad);
      }
      table {
        border-collapse: collapse;
        font-size: 0.8125rem;
        inline-size: 100%;
      }
      th,
      td {
        border-block-start: 1px solid var(--line);
        font-weight: 400;
        padding: 5px 8px 5px 0;
        text-align: start;
      }
      th {
        overflow-wrap: anywhere;
      }
      td:last-child {
        padding-inline-end: 0;
        text-align: end;
        white-space: nowrap;
      }
      td {
        font-variant-numeric: tabular-nums;
      }
      tr[data-low] > * {
        color: var(--bad);
        font-weight: 500;
      }
      td button {
        min-block-size: 30px;
        padding-block: 2px;
      }
    `,
  ]
  static override properties = {state: {attribute: false}, scheme: {attribute: false}}

  state: PlaygroundState = initialState
  /** Whose colours are edited. */
  scheme: Scheme = 'light'

  override connectedCallback(): void {
    super.connectedCallback()
    const {colorScheme} = this.state
    const isDark =
      colorScheme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : colorScheme === 'dark'
    this.scheme = isDark ? 'dark' : 'light'
  }

  override render(): TemplateResult {
    return html`<div class="stack">
      ${this.#presets()} ${this.#colors()} ${this.#sizes()} ${this.#contrasts()}
      <playground-code-block name="checkout.css" .code=${themeCss(this.state)}></playground-code-block>
    </div>`
  }

  #change(changes: Partial<Theme>): void {
    this.dispatchEvent(new StateChangeEvent(state => ({...state, theme: {...state.theme, ...changes}})))
  }

  #setColor(name: ColorName, color: string): void {
    if (!/^#[\da-f]{6}$/i.test(color)) return
    this.#change({[this.scheme]: {...this.state.theme[this.scheme], [name]: color.toLowerCase()}})
  }

  #presets(): TemplateResult {
    const {theme} = this.state
    const isSame = (other: Theme) =>
      themeCss({...initialState, theme: other}) === themeCss({...initialState, theme})
    const named = Object.entries({Default: plainTheme, ...themes})
    const current = named.find(([, other]) => isSame(other))?.[0]
    return html`<section class="group">
      <h2>Theme</h2>
      <div class="buttons">
        ${named.map(
          ([name, other]) =>
            html`<button
              type="button"
              aria-pressed=${String(name === current)}
              @click=${() => this.#change(other)}
            >
              ${name}
            </button>`,
        )}
      </div>
    </section>`
  }

  #colors(): TemplateResult {
    const {scheme} = this
    const {colorScheme} = this.state
    return html`<section class="group">
      <h2>Colours</h2>
      <div class="segments" role="group" aria-label="Scheme to edit">
        ${schemes.map(
          each =>
            html`<button
              type="button"
              aria-pressed=${String(each === scheme)}
              @click=${() => (this.scheme = each)}
            >
              ${each}
            </button>`,
        )}
      </div>
      ${
        colorScheme !== 'auto' && colorScheme !== scheme
          ? html`<p class="hint">The checkout shows the ${colorScheme} theme. Change it in Setup.</p>`
          : nothing
      }
      <div class="columns">${colorNames.map(name => this.#color(name))}</div>
    </section>`
  }

  #color(name: ColorName): TemplateResult {
    const {scheme, state} = this
    const value = state.theme[scheme][name] ?? defaultColors[scheme][name]
    const onInput = ({target}: Event) =>
      target instanceof HTMLInputElement && this.#setColor(name, target.value)
    return html`<div class="color">
      <span>${name}</span>
      <input type="color" aria-label=${`${name}, ${scheme}`} .value=${value} @input=${onInput} />
      <input
        type="text"
        aria-label=${`${name}, ${scheme}, as hexadecimal digits`}
        spellcheck="false"
        maxlength="7"
        .value=${value}
        @change=${onInput}
      />
    </div>`
  }

  #sizes(): TemplateResult {
    const {theme} = this.state
    return html`<section class="group">
      <h2>Shape and text</h2>
      <div class="columns">
        ${this.#size('radius')} ${this.#size('space')} ${this.#size('fontSize')}
        ${select('Font', theme.font, fontNames, font => this.#change({font}))}
      </div>
    </section>`
  }

  #size(key: keyof typeof sizes): TemplateResult {
    const {name, preset} = sizeNames[key]
    const [min, max] = sizes[key]
    const value = this.state.theme[key] ?? preset
    return html`<label>
      <span class="size">${name}<output>${value} px</output></span>
      <input
        type="range"
        min=${min}
        max=${max}
        .value=${String(value)}
        @input=${({target}: Event) =>
          target instanceof HTMLInputElement &&
          this.#change({[key]: target.valueAsNumber === preset ? null : target.valueAsNumber})}
      />
    </label>`
  }

  #contrasts(): TemplateResult {
    const {theme} = this.state
    const verdicts = schemes.map(scheme => {
      const low = contrastsOf(theme[scheme], scheme).filter(isLow).length
      return {scheme, low}
    })
    const total = verdicts.reduce((sum, {low}) => sum + low, 0)
    return html`<section class="group">
      <h2>Contrast (WCAG 2.2 AA)</h2>
      <p class="verdict" role="status" ?data-passed=${total === 0}>
        ${
          total === 0
            ? 'All contrasts suffice, light and dark.'
            : `Too low: ${verdicts.map(({scheme, low}) => `${low} ${scheme}`).join(', ')}.`
        }
      </p>
      <table>
        <caption class="visually-hidden">
          Contrasts of the ${this.scheme} theme
        </caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Colours</th>
            <th scope="col">Ratio</th>
            <th scope="col">Required</th>
          </tr>
        </thead>
        <tbody>
          ${contrastsOf(theme[this.scheme], this.scheme).map(each => this.#contrast(each))}
        </tbody>
      </table>
    </section>`
  }

  #contrast(each: Contrast): TemplateResult {
    const {foreground, background, ratio, required} = each
    const name = colorNames.find(color => color === foreground)
    const better = name && isLow(each) ? readable(name, this.state.theme[this.scheme], this.scheme) : null
    return html`<tr ?data-low=${isLow(each)}>
      <th scope="row">${foreground} on ${background}</th>
      <td>${floor(ratio)}</td>
      <td>
        ${
          name && better
            ? html`<button type="button" @click=${() => this.#setColor(name, better)}>Use ${better}</button>`
            : `${isLow(each) ? 'needs' : '≥'} ${required}`
        }
      </td>
    </tr>`
  }
}

function isLow({ratio, required}: Contrast): boolean {
  return ratio < required
}

/** Not rounded up: 4.499 is too low. */
function floor(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2)
}
