/** HTML whose values are escaped, in text and in quoted attributes. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | undefined | readonly Markup[]

/** Escapes texts, leaves out undefined, and inserts other markup as it is. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]) {
  return new Markup(String.raw({raw: strings}, ...values.map(toText)))
}

function toText(value: Value): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(toText).join('')
  return String(value ?? '').replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
