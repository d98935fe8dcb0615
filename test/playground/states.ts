/** States of the playground. */
import fc from 'fast-check'
import {faults, operations} from '../../demo/faults.js'
import type {FaultChoice, PlaygroundState} from '../../docs/.vitepress/playground/state.js'
import {acts, initialState, pairs, panels, stacks, widths} from '../../docs/.vitepress/playground/state.js'
import {colorNames, fonts, sizes, type Theme} from '../../docs/.vitepress/playground/theme.js'
import {languages} from '../../src/translations/generated/languages.js'

const pair = fc.constantFrom(...pairs.map(({asset, network}) => ({asset, network})))
const fault: fc.Arbitrary<FaultChoice> = fc.record({
  operation: fc.constantFrom(...(Object.keys(operations) as FaultChoice['operation'][])),
  id: fc.constantFrom(...Object.keys(faults)),
})
const color = fc.integer({min: 0, max: 0xff_ff_ff}).map(value => `#${value.toString(16).padStart(6, '0')}`)
const colors = fc.record(Object.fromEntries(colorNames.map(name => [name, color])), {requiredKeys: []})
const size = (name: keyof typeof sizes) => fc.option(fc.integer({min: sizes[name][0], max: sizes[name][1]}))
const theme: fc.Arbitrary<Theme> = fc.record({
  light: colors,
  dark: colors,
  radius: size('radius'),
  space: size('space'),
  fontSize: size('fontSize'),
  font: fc.constantFrom('', ...Object.keys(fonts)),
})

export const anyState: fc.Arbitrary<PlaygroundState> = fc.record({
  hasCharge: fc.boolean(),
  pair: fc.option(pair),
  steps: fc.array(fc.oneof(fc.constantFrom(...acts), pair), {maxLength: 40}),
  fault: fc.option(fault),
  isPaused: fc.boolean(),
  locale: fc.constantFrom('', 'en', ...languages),
  direction: fc.constantFrom('', 'ltr', 'rtl'),
  colorScheme: fc.constantFrom('auto', 'light', 'dark'),
  width: fc.constantFrom(...widths),
  qr: fc.constantFrom('address', 'request'),
  wallets: fc.constantFrom('auto', 'none'),
  autoRedirect: fc.boolean(),
  forget: fc.boolean(),
  modal: fc.boolean(),
  theme,
  stack: fc.constantFrom(...stacks),
  panel: fc.constantFrom(...panels),
})

/** No attribute has its default. */
export const everything: PlaygroundState = {
  ...initialState,
  pair: {asset: '825', network: 'bsc'},
  locale: 'ar',
  direction: 'rtl',
  colorScheme: 'dark',
  width: 480,
  qr: 'request',
  wallets: 'none',
  autoRedirect: true,
  forget: true,
  modal: true,
  theme: {...initialState.theme, light: {accent: '#2f5d50'}, radius: 4, font: 'serif'},
}
