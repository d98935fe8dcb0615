/**
 * The state as the fragment of a URL, such as `do=825.bsc,less&locale=ar`. Defaults are left out. Unknown names and values are
 * ignored, because anybody can write a link.
 */
import {isLanguage} from '../../../src/translations/generated/load-translation.js'
import {operations} from '../../../demo/faults.js'
import {
  acts,
  initialState,
  isFaultChoice,
  pairs,
  panels,
  stacks,
  widths,
  type FaultChoice,
  type Pair,
  type PlaygroundState,
  type Step,
} from './state.js'
import {colorNames, fonts, sizes, type Colors, type Theme} from './theme.js'

/** Longer links are cut, so that a link cannot keep the page busy. */
const MAX_STEPS = 40

export function encodeState(state: PlaygroundState): string {
  const {theme} = state
  const values: Readonly<Record<string, string | false | null>> = {
    charge: !state.hasCharge && 'none',
    pair: state.pair && encodePair(state.pair),
    do: state.steps.map(step => (typeof step === 'object' ? encodePair(step) : step)).join(','),
    fault: state.fault && `${state.fault.operation}:${state.fault.id}`,
    clock: state.isPaused && 'paused',
    locale: state.locale,
    dir: state.direction,
    theme: state.colorScheme,
    width: String(state.width),
    qr: state.qr,
    wallets: state.wallets,
    redirect: state.autoRedirect && 'auto',
    forget: state.forget && 'yes',
    modal: state.modal && 'yes',
    light: encodeColors(theme.light),
    dark: encodeColors(theme.dark),
    radius: encodeNumber(theme.radius),
    space: encodeNumber(theme.space),
    size: encodeNumber(theme.fontSize),
    font: theme.font,
    stack: state.stack,
    panel: state.panel,
  }
  return Object.entries(values)
    .filter(([name, value]) => value && value !== defaults[name])
    .map(([name, value]) => `${name}=${value || ''}`)
    .join('&')
}

const defaults: Readonly<Record<string, string>> = {
  theme: initialState.colorScheme,
  width: String(initialState.width),
  qr: initialState.qr,
  wallets: initialState.wallets,
  stack: initialState.stack,
  panel: initialState.panel,
}

/** @param fragment with or without `#` */
export function decodeState(fragment: string): PlaygroundState {
  const values = new URLSearchParams(fragment.replace(/^#/, ''))
  const value = (name: string) => values.get(name) ?? ''
  const locale = value('locale')
  return {
    hasCharge: value('charge') !== 'none',
    pair: decodePair(value('pair')),
    steps: value('do').split(',').slice(0, MAX_STEPS).flatMap(decodeStep),
    fault: decodeFault(value('fault')),
    isPaused: value('clock') === 'paused',
    locale: locale === 'en' || isLanguage(locale) ? locale : '',
    direction: oneOf(['ltr', 'rtl'] as const, value('dir')) ?? '',
    colorScheme: oneOf(['light', 'dark'] as const, value('theme')) ?? 'auto',
    width: widths.find(width => String(width) === value('width')) ?? 0,
    qr: oneOf(['request'] as const, value('qr')) ?? 'address',
    wallets: oneOf(['none'] as const, value('wallets')) ?? 'auto',
    autoRedirect: value('redirect') === 'auto',
    forget: value('forget') === 'yes',
    modal: value('modal') === 'yes',
    theme: decodeTheme(value),
    stack: oneOf(stacks, value('stack')) ?? initialState.stack,
    panel: oneOf(panels, value('panel')) ?? initialState.panel,
  }
}

function oneOf<Value extends string>(allowed: readonly Value[], value: string): Value | undefined {
  return allowed.find(each => each === value)
}

function encodePair({asset, network}: Pair): string {
  return `${asset}.${network}`
}

function decodePair(text: string): Pair | null {
  const found = pairs.find(pair => encodePair(pair) === text)
  return found ? {asset: found.asset, network: found.network} : null
}

function decodeStep(text: string): Step[] {
  const step = oneOf(acts, text) ?? decodePair(text)
  return step ? [step] : []
}

function decodeFault(text: string): FaultChoice | null {
  const [name = '', id = ''] = text.split(':')
  const operation = operationNames.find(each => each === name)
  return operation && isFaultChoice({operation, id}) ? {operation, id} : null
}

function isOperation(name: string): name is FaultChoice['operation'] {
  return Object.hasOwn(operations, name)
}

const operationNames = Object.keys(operations).filter(isOperation)

function encodeColors(colors: Colors): string {
  return colorNames
    .flatMap(name => (colors[name] ? [`${name}:${colors[name].replace('#', '')}`] : []))
    .join(',')
}

function decodeColors(text: string): Colors {
  const colors: Partial<Record<(typeof colorNames)[number], string>> = {}
  for (const item of text.split(',')) {
    const [name = '', digits = ''] = item.split(':')
    const known = oneOf(colorNames, name)
    if (known && /^[\da-f]{6}$/.test(digits)) colors[known] = `#${digits}`
  }
  return colors
}

function encodeNumber(number: number | null): string {
  return number === null ? '' : String(number)
}

function decodeTheme(value: (name: string) => string): Theme {
  const number = (name: string, [min, max]: readonly [number, number]) => {
    const text = value(name)
    return /^\d{1,2}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null
  }
  return {
    light: decodeColors(value('light')),
    dark: decodeColors(value('dark')),
    radius: number('radius', sizes.radius),
    space: number('space', sizes.space),
    fontSize: number('size', sizes.fontSize),
    font: Object.hasOwn(fonts, value('font')) ? value('font') : '',
  }
}
