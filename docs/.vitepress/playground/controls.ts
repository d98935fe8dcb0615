/** Form controls with a label. */
import {html, type TemplateResult} from 'lit'

/** Options are values and their names. */
export function select(
  label: string,
  value: string,
  options: readonly (readonly [value: string, name: string])[],
  onChange: (value: string) => void,
  isDisabled = false,
): TemplateResult {
  return html`<label>
    ${label}
    <select
      ?disabled=${isDisabled}
      .value=${value}
      @change=${({target}: Event) => target instanceof HTMLSelectElement && onChange(target.value)}
    >
      ${options.map(
        ([each, name]) => html`<option value=${each} .selected=${each === value}>${name}</option>`,
      )}
    </select>
  </label>`
}

export function checkbox(
  label: string | TemplateResult,
  checked: boolean,
  onChange: (checked: boolean) => void,
): TemplateResult {
  return html`<label class="check">
    <input
      type="checkbox"
      .checked=${checked}
      @change=${({target}: Event) => target instanceof HTMLInputElement && onChange(target.checked)}
    />
    <span>${label}</span>
  </label>`
}
