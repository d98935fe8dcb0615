/**
 * `manifest [--check]`: the element's doc block is its reference. From it come `dist/custom-elements.json`, what editors
 * read, and the tables that stand in docs/element.md between `<!-- element -->` and `<!-- /element -->`. With `--check` nothing is
 * written there; it fails when the tables are not what the doc block says, or the doc block not what the code does.
 */
import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {format, resolveConfig} from 'prettier'
import {z} from 'zod'
import {writeEditorData} from './editors.js'

const entry = z.object({
  name: z.string(),
  description: z.string().optional(),
  type: z.object({text: z.string()}).optional(),
})
const elementSchema = z.object({
  tagName: z.string(),
  description: z.string(),
  attributes: z.array(entry),
  members: z.array(entry.extend({kind: z.string(), static: z.boolean().optional()})),
  events: z.array(entry),
  slots: z.array(entry),
  cssParts: z.array(entry),
  cssProperties: z.array(entry),
})
const manifestSchema = z.object({
  modules: z.array(z.object({declarations: z.array(z.object({tagName: z.string().optional()}).loose())})),
})
export type Entry = z.infer<typeof entry>
export type Element = z.infer<typeof elementSchema>

const tables = /(<!-- element -->\n)([\s\S]*?)(<!-- \/element -->)/
const readme = 'docs/element.md'

const analyzer = 'node_modules/@custom-elements-manifest/analyzer/cem.js'
const analyzed = spawnSync(process.execPath, [analyzer, 'analyze', '--quiet'], {stdio: 'inherit'})
if (analyzed.status !== 0) process.exit(1)
const element = elementSchema.parse(
  manifestSchema
    .parse(JSON.parse(readFileSync('dist/custom-elements.json', 'utf8')))
    .modules.flatMap(({declarations}) => declarations)
    .find(({tagName}) => tagName === 'crypto-checkout'),
)
writeEditorData(element)

const faults = [...undescribed(), ...strangers()]
const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
const fresh = text.replace(
  tables,
  (_all, open: string, _old, close: string) => `${open}\n${reference()}\n${close}`,
)
const formatted = await format(fresh, {...(await resolveConfig(readme)), parser: 'markdown'})
if (!process.argv.includes('--check')) {
  if (tables.test(text)) writeFileSync(readme, formatted)
} else if (tables.test(text) && formatted !== text) {
  faults.push(`${readme} does not say what the doc block says; npm run manifest mends it`)
}
for (const fault of faults) console.error(fault)
if (process.argv.includes('--check') && faults.length > 0) process.exitCode = 1

function undescribed(): string[] {
  const {attributes, events, slots, cssParts, cssProperties} = element
  return [...attributes, ...events, ...slots, ...cssParts, ...cssProperties]
    .filter(({description}) => !description)
    .map(({name}) => `the doc block does not describe ${name}`)
}

/** Parts that a template has and the doc block has not, and the other way round. */
function strangers(): string[] {
  const sources = readdirSync('src/element', {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(`src/element/${name}`, 'utf8'))
  const code = sources.join('\n').replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
  const drawn = [...code.matchAll(/\bpart="([^"$]+)"/g)].flatMap(([, names = '']) => names.split(/\s+/))
  const documented = element.cssParts.map(({name}) => name)
  return [
    ...[...new Set(drawn)]
      .filter(name => !documented.includes(name))
      .map(name => `no @csspart for the part ${name}`),
    ...documented
      .filter(name => !new RegExp(`['"\\s]${name}['"\\s]`).test(code))
      .map(name => `no part ${name} is drawn`),
  ]
}

function reference(): string {
  const {attributes, events, slots, cssParts, cssProperties} = element
  return [
    table('Attribute', attributes, ({name, type}) =>
      type ? `\`${name}\`: \`${type.text.replaceAll("'", '')}\`` : `\`${name}\``,
    ),
    table('Event', events),
    table('Slot', slots),
    table('Part', cssParts),
    table('Custom property', cssProperties),
  ].join('\n')
}

function table(title: string, entries: readonly Entry[], label = ({name}: Entry) => `\`${name}\``): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = entries.map(one => `| ${cell(label(one))} | ${cell(one.description ?? '')} |`)
  return [`| ${title} | |`, '| --- | --- |', ...rows, ''].join('\n')
}
