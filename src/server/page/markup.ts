/** HTML whose values are escaped, in text and in quoted attributes. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Escapes texts, leaves out undefined, and inserts other markup as it is. */
export function markup(strings: TemplateStringsArray, ...values: readonly (string | Markup | undefined)[]) {
  return new Markup(String.raw({raw: strings}, ...values.map(toText)))
}

function toText(value: string | Markup | undefined): string {
  if (value instanceof Markup) return value.text
  return (value ?? '').replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
