/**
 * `generate [--check]`: fills the blocks `<!-- name -->` … `<!-- /name -->` of README.md and docs/*.md from the build: the
 * element's tables from its manifest, the problem codes and the fields of charges and orders from the schemas. It also
 * writes the types of the tag. With `--check` nothing is written; it fails when a block or the types are out of date.
 */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {format, resolveConfig} from 'prettier'
import * as z from 'zod'
import {chargeInputSchema, problemStatus, problemTitle} from '../src/contract/index.js'
import {orderInputSchema} from '../src/server/orders/order-input.js'
import {readComments, type Comment} from './schema-comments.js'

const entrySchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  type: z.object({text: z.string()}).optional(),
})
const elementSchema = z.object({
  tagName: z.literal('crypto-checkout'),
  attributes: z.array(entrySchema),
  events: z.array(entrySchema),
  slots: z.array(entrySchema),
  cssParts: z.array(entrySchema),
  cssProperties: z.array(entrySchema),
})
const manifestSchema = z.object({modules: z.array(z.object({declarations: z.array(z.unknown())}))})
type Entry = z.infer<typeof entrySchema>

const inputSchema = z.object({
  type: z.string().optional(),
  required: z.array(z.string()).default([]),
  anyOf: z.array(z.object({type: z.string()})).default([]),
  get properties() {
    return z.record(z.string(), inputSchema).optional()
  },
})
type Input = z.infer<typeof inputSchema>

const isCheck = process.argv.includes('--check')
const faults: string[] = []
const element = elementSchema.parse(
  manifestSchema
    .parse(readJson('dist/custom-elements.json'))
    .modules.flatMap(({declarations}) => declarations)
    .find(declaration => elementSchema.safeParse(declaration).success),
)
const comments = readComments('src/contract/service.ts', 'src/server/orders/order-input.ts')
const blocks: Readonly<Record<string, () => string>> = {
  element: elementTables,
  problems: problemTable,
  order: () => fieldTable(orderInputSchema, comments['orderInputSchema']),
  charge: () => fieldTable(chargeInputSchema, comments['chargeInputSchema']),
}

const documents = readdirSync('docs').filter(file => file.endsWith('.md'))
const pages = ['README.md', ...documents.map(file => `docs/${file}`)]
const unused = new Set(Object.keys(blocks))
for (const file of pages) {
  const text = readFileSync(file, 'utf8')
  const filled = text.replaceAll(
    /(<!-- (\w+) -->\n)[\s\S]*?(<!-- \/\2 -->)/g,
    (block, open: string, name: string, close: string) => {
      unused.delete(name)
      const content = blocks[name]?.()
      return content === undefined ? block : `${open}\n${content}\n\n${close}`
    },
  )
  if (filled === text) continue
  const formatted = await format(filled, {...(await resolveConfig(file)), parser: 'markdown'})
  if (!isCheck) writeFileSync(file, formatted)
  else if (formatted !== text) faults.push(`${file} is out of date: npm run generate`)
}
for (const name of unused) faults.push(`no page has the block ${name}`)
await writeMarkupTypes()
checkDocBlock()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

/** The types of the tag for React, Vue and Svelte. `phase` is read only. */
async function writeMarkupTypes(): Promise<void> {
  const file = 'src/element/markup-types.ts'
  const lines = element.attributes
    .filter(({name}) => name !== 'phase')
    .map(({name, type}) => `${JSON.stringify(name)}?: ${type?.text ?? 'string'} | undefined`)
  const code = `/** Generated from the manifest: npm run generate */
    import type {CheckoutEventMap} from './events.js'

    /** The attributes of the tag, as the types for React, Vue and Svelte share them. */
    export interface CheckoutAttributes {
      ${lines.join('\n')}
    }

    /** \`oncheckout-paid\` and so on: the names of listeners in React 19 and Svelte 5. */
    export type CheckoutListeners = {
      [Name in keyof CheckoutEventMap as \`on\${Name}\`]?: ((event: CheckoutEventMap[Name]) => void) | undefined
    }`
  const text = await format(code, {...(await resolveConfig(file)), filepath: file})
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) faults.push(`${file} is out of date: npm run generate`)
}

function checkDocBlock(): void {
  const {attributes, events, slots, cssParts, cssProperties} = element
  for (const {name, description} of [attributes, events, slots, cssParts, cssProperties].flat())
    if (!description) faults.push(`the doc block does not describe ${name}`)
  const code = readdirSync('src/element', {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(`src/element/${name}`, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, ''))
    .join('\n')
  const documented = cssParts.map(({name}) => name)
  for (const [, names = ''] of code.matchAll(/\bpart="([^"$]+)"/g))
    for (const name of names.split(/\s+/))
      if (!documented.includes(name)) faults.push(`the doc block has no @csspart ${name}`)
  for (const name of documented)
    if (!new RegExp(`['"\\s]${name}['"\\s]`).test(code)) faults.push(`no template has the part ${name}`)
}

function elementTables(): string {
  const {attributes, events, slots, cssParts, cssProperties} = element
  const label = ({name, type}: Entry) => `\`${name}\`${type ? `: \`${type.text.replaceAll("'", '')}\`` : ''}`
  const named = ({name}: Entry) => `\`${name}\``
  const table = (title: string, entries: readonly Entry[], cell = named) =>
    rows([title, ''], ...entries.map(entry => [cell(entry), entry.description ?? '']))
  return [
    table('Attribute', attributes, label),
    table('Event', events),
    table('Slot', slots),
    table('Part', cssParts),
    table('Custom property', cssProperties),
  ].join('\n\n')
}

function problemTable(): string {
  const titles: Readonly<Record<string, string>> = problemTitle
  const problems = Object.entries(problemStatus)
  return rows(
    ['status', 'code', ''],
    ...problems.map(([code, status]) => [String(status), `\`${code}\``, titles[code] ?? '']),
  )
}

function fieldTable(schema: z.core.$ZodType, comment: Comment | undefined): string {
  const input = inputSchema.parse(z.toJSONSchema(schema, {io: 'input'}))
  return rows(['field', 'type', '', 'the customer sees it'], ...fieldRows(input, comment))
}

function fieldRows({properties = {}, required}: Input, comment: Comment | undefined, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const {text, shown = 'no'} = comment?.fields[name] ?? {}
    if (!text) faults.push(`no comment describes ${path}${name}`)
    if (field.properties) return fieldRows(field, comment?.fields[name], `${path}${name}.`)
    const type = field.type ?? field.anyOf.map(({type}) => type).join(' or ')
    const optional = required.includes(name) ? '' : ', optional'
    return [[`\`${path}${name}\``, type + optional, text ?? '', shown]]
  })
}

function rows(head: readonly string[], ...body: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n')
}

function readJson(file: string): unknown {
  if (!existsSync(file)) throw new Error(`${file} is missing: npm run build`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
