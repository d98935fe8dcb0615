/** Markup of the element, as Prettier would format it. */
import type {Attributes} from './attributes.js'

const MAX_WIDTH = 72

/** @param written attributes as they are, such as `:charge-id="chargeId"` */
export function tag(name: string, written: readonly string[]): string {
  const line = [`<${name}`, ...written].join(' ')
  return line.length <= MAX_WIDTH ? line : `<${name}\n${indent(written.join('\n'), 2)}\n`
}

export function written(attributes: Attributes): string[] {
  return Object.entries(attributes).map(([name, value]) => (value === true ? name : `${name}="${value}"`))
}

export function markup(name: string, attributes: Attributes, children: readonly string[] = []): string {
  return element(name, written(attributes), children)
}

export function element(
  name: string,
  attributes: readonly string[],
  children: readonly string[] = [],
): string {
  const inside = children.length > 0 ? `\n${indent(children.join('\n'), 2)}\n` : ''
  return `${tag(name, attributes)}>${inside}</${name}>`
}

/** Without children. */
export function selfClosing(name: string, attributes: readonly string[]): string {
  const open = tag(name, attributes)
  return `${open}${open.endsWith('\n') ? '' : ' '}/>`
}

export function indent(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces))
}
