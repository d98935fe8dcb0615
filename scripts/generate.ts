/**
 * `generate [--check]`: fills the blocks `<!-- name -->` … `<!-- /name -->` of README.md and docs/*.md: the element's tables
 * from the manifest of the build, the fields of charges and orders from the schemas, options and methods from the types,
 * problems and alerts, and the files that a page shows (`<!-- file ../examples/html/server.js -->`). It also writes the types of
 * the tag. With `--check` nothing is written; it fails when a block or the types are out of date.
 */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, dirname, extname, join} from 'node:path'
import {format, resolveConfig} from 'prettier'
import * as z from 'zod'
import {chargeInputSchema, problemStatus, problemTitle} from '../src/contract/index.js'
import {orderInputSchema} from '../src/server/orders/order-input.js'
import {languages} from '../src/translations/generated/languages.js'
import {alertAdvice, problemAdvice} from './advice.js'
import {readInterfaces, type Member} from './interface-comments.js'
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
const comments = readComments(
  'src/contract/checkout.ts',
  'src/contract/service.ts',
  'src/server/orders/order-input.ts',
)
const membersOf = readInterfaces('src/node/index.ts')
const blocks: Readonly<Record<string, () => string>> = {
  element: elementTables,
  problems: problemTable,
  alerts: alertTable,
  rules: ruleTable,
  options: () => optionTable('CheckoutOptions'),
  limits: () => optionTable('RateLimitOptions'),
  page: () => optionTable('HostedPageOptions'),
  methods: methodTable,
  checkout: checkoutTable,
  languages: languageList,
  order: () => fieldTable(orderInputSchema, comments['orderInputSchema']),
  charge: () => fieldTable(chargeInputSchema, comments['chargeInputSchema']),
}

const documents = readdirSync('docs').filter(file => file.endsWith('.md'))
const pages = ['README.md', ...documents.map(file => `docs/${file}`)]
const unused = new Set(Object.keys(blocks))
for (const file of pages) {
  const text = readFileSync(file, 'utf8')
  const filled = text.replaceAll(
    /(<!-- (\w+)(?: (\S+))? -->\n)[\s\S]*?(<!-- \/\2 -->)/g,
    (block, open: string, name: string, path: string | undefined, close: string) => {
      unused.delete(name)
      const content = path === undefined ? blocks[name]?.() : codeOf(join(dirname(file), path))
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
  const advice: Readonly<Record<string, string>> = problemAdvice
  return rows(
    ['code', 'status', 'meaning', 'what to do'],
    ...Object.entries(problemStatus).map(([code, status]) => [
      `\`${code}\``,
      String(status),
      titles[code] ?? '',
      advice[code] ?? '',
    ]),
  )
}

function alertTable(): string {
  const alerts = Object.entries(alertAdvice)
  return rows(
    ['`kind`', 'meaning', 'what to do'],
    ...alerts.map(([kind, {meaning, advice}]) => [`\`${kind}\``, meaning, advice]),
  )
}

/** The alert rules for Prometheus. */
function ruleTable(): string {
  const rules = readFileSync('docs/prometheus-alerts.yml', 'utf8').matchAll(
    /- alert: (\w+)[^]*?summary: '?(.*?)'?\n/g,
  )
  return rows(
    ['alert', 'what it says'],
    ...[...rules].map(([, name = '', summary = '']) => [
      `\`${name}\``,
      summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '`$1`'),
    ]),
  )
}

/** What is required comes first. */
function optionTable(name: string): string {
  const options = membersOf(name).map(member => ({...describe(member), name: member.name}))
  const inOrder = options.toSorted(
    (a, b) => Number(b.isRequired) - Number(a.isRequired) || a.name.localeCompare(b.name),
  )
  return rows(
    ['option', 'default', ''],
    ...inOrder.map(({name, isRequired, fallback, text}) => [
      `\`${name}\``,
      isRequired ? 'required' : fallback,
      text,
    ]),
  )
}

/** The default is the end of the sentence that begins with the word. */
function describe({name, declared, text}: Member) {
  const [sentence = '', fallback = ''] = / ?Default:? ((?:`[^`]*`|\d[\d.,]*\d|[^.`])+)\./.exec(text) ?? []
  if (!text) faults.push(`no comment describes the option ${name}`)
  return {
    isRequired: text.startsWith('Required.') || !/^\w+\?/.test(declared),
    fallback: fallback || 'none',
    text: text.replace(/^Required\. /, '').replace(sentence, ''),
  }
}

function methodTable(): string {
  const methods = membersOf('CheckoutServer').toSorted((a, b) => a.name.localeCompare(b.name))
  for (const {name, text} of methods) if (!text) faults.push(`no comment describes the method ${name}`)
  return rows(['method', ''], ...methods.map(({declared, text}) => [`\`${declared}\``, text]))
}

/** What a page knows of a charge, and what is in its lists. */
function checkoutTable(): string {
  const schemas = Object.entries({
    checkoutSchema: '',
    assetOptionSchema: 'assets[].',
    networkOptionSchema: 'assets[].networks[].',
    quoteSchema: 'quote.',
    observedPaymentSchema: 'payments[].',
  })
  return rows(
    ['field', ''],
    ...schemas.flatMap(([name, path]) =>
      Object.entries(comments[name]?.fields ?? {}).map(([field, {text}]) => {
        if (!text) faults.push(`no comment describes ${path}${field}`)
        return [`\`${path}${field}\``, text]
      }),
    ),
  )
}

function languageList(): string {
  const titles = new Intl.DisplayNames('en', {type: 'language'})
  const names = ['en', ...languages].map(tag => `${titles.of(tag) ?? tag} (\`${tag}\`)`)
  return `${names.toSorted((a, b) => a.localeCompare(b)).join(', ')}.`
}

function codeOf(file: string): string {
  const language = (extname(file) || basename(file)).slice(1)
  return ['```' + language, readFileSync(file, 'utf8').trimEnd(), '```'].join('\n')
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
