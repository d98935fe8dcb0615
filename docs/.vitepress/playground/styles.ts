/** Styles that all parts of the playground share. Colours are those of the site, or system colours on a plain page. */
import {css} from 'lit'

export const shared = css`
  :host {
    --ink: var(--vp-c-text-1, light-dark(#24272e, #e6e7ea));
    --quiet: var(--vp-c-text-2, light-dark(#5b616c, #a4a9b3));
    --page: var(--vp-c-bg, light-dark(#fff, #1b1b1f));
    --soft: var(--vp-c-bg-soft, light-dark(#f6f6f7, #202127));
    --line: var(--vp-c-divider, light-dark(#e2e2e5, #33343a));
    --control-line: light-dark(#858b96, #757b86);
    --brand: light-dark(#1f4fd8, #8fb0ff);
    --on-brand: light-dark(#fff, #0b1733);
    --good: light-dark(#0f7040, #6fdc9c);
    --bad: light-dark(#b3261e, #ff9d94);
    --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
    color: var(--ink);
    display: block;
    font-size: 0.9375rem;
    line-height: 1.5;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  h2,
  p,
  ul,
  ol,
  dl,
  dd,
  fieldset,
  pre {
    border: 0;
    list-style: none;
    margin: 0;
    min-inline-size: 0;
    padding: 0;
  }
  h2,
  legend {
    font-size: 0.8125rem;
    font-weight: 600;
    line-height: 1.4;
    padding: 0;
  }
  button,
  select,
  input {
    background: var(--page);
    border: 1px solid var(--control-line);
    border-radius: 8px;
    color: inherit;
    font: inherit;
    font-size: 0.875rem;
    line-height: 1.3;
    max-inline-size: 100%;
    min-block-size: 40px;
    padding: 6px 10px;
  }
  button {
    cursor: pointer;
    font-weight: 500;
  }
  button:hover:not(:disabled) {
    background: var(--soft);
  }
  button:disabled,
  select:disabled {
    border-color: var(--line);
    color: var(--quiet);
    cursor: default;
    opacity: 0.6;
  }
  button.primary {
    background: var(--brand);
    border-color: transparent;
    color: var(--on-brand);
  }
  button.primary:hover:not(:disabled) {
    background: color-mix(in srgb, var(--brand) 88%, var(--ink));
  }
  button[aria-pressed='true'] {
    background: color-mix(in srgb, var(--brand) 12%, var(--page));
    border-color: var(--brand);
  }
  select {
    inline-size: 100%;
    text-overflow: ellipsis;
  }
  input[type='checkbox'],
  input[type='radio'] {
    accent-color: var(--brand);
    flex: none;
    block-size: 18px;
    inline-size: 18px;
    margin: 0;
    min-block-size: 0;
  }
  :focus-visible {
    outline: 2px solid var(--brand);
    outline-offset: 2px;
  }
  label {
    display: grid;
    font-size: 0.8125rem;
    font-weight: 500;
    gap: 4px;
  }
  label.check {
    align-items: center;
    font-size: 0.875rem;
    font-weight: 400;
    grid-template-columns: auto 1fr;
    gap: 10px;
    min-block-size: 32px;
  }
  select,
  label input {
    font-size: 0.9375rem;
    font-weight: 400;
  }
  code,
  .mono {
    font-family: var(--mono);
    font-size: 0.8125rem;
  }
  .hint {
    color: var(--quiet);
    font-size: 0.8125rem;
  }
  .stack {
    display: grid;
    gap: 20px;
    grid-template-columns: minmax(0, 1fr);
  }
  .group {
    align-content: start;
    display: grid;
    gap: 10px;
    grid-template-columns: minmax(0, 1fr);
  }
  .columns {
    display: grid;
    gap: 12px;
    grid-template-columns: repeat(auto-fill, minmax(min(140px, 100%), 1fr));
  }
  .buttons {
    display: grid;
    gap: 8px;
    grid-template-columns: repeat(auto-fill, minmax(min(124px, 30%), 1fr));
  }
  .visually-hidden {
    block-size: 1px;
    clip-path: inset(50%);
    inline-size: 1px;
    overflow: hidden;
    position: absolute;
    white-space: nowrap;
  }
`
