/**
 * `npm run proof`: measures what takes seconds, and writes `docs/proof.md` from what is kept in `docs/proof/`. What takes
 * minutes or a quiet machine is measured by the command that its section names. `--check` fails when the page is not
 * what the kept figures give, or when one of them is out of date.
 */
import {spawnSync} from 'node:child_process'
import {copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {format, resolveConfig} from 'prettier'
import * as z from 'zod/mini'
import {changedSince, keep, proofs, readProof, TOLERANCE, type Figure, type Proof} from './proof/record.js'

const PAGE = 'docs/proof.md'

/** In the order of the page. What is kept and not named here comes last, under its own name. */
const sections: Readonly<Record<string, {readonly title: string; readonly says: string}>> = {
  tests: {
    title: 'Tests',
    says: 'Every test of `.ci/run`, by script, and how many of those that passed ran in which engine: the browser suite, the end-to-end payment and the pages of the script tag run in all three.',
  },
  model: {
    title: 'Random histories',
    says: "One charge, up to three tabs, two instances of the proxy, faults, delays, kills, clock jumps: the nine invariants are held after every step. The tabs are the element's session, client and stream, without its face; the browser suite plays some more with the drawn element, read from the screen.",
  },
  invariants: {
    title: 'Each invariant, broken on purpose',
    says: 'One small edit at a time, in a copy of the code; which test goes red, and after how many histories.',
  },
  endurance: {
    title: 'Endurance',
    says: 'Two proxies behind nginx under load, customers who pay, Redis killed and started again, the service away and back.',
  },
  'mutation-core': {
    title: 'Mutation: core',
    says: 'Stryker changes the code on purpose; the share of changes that a test notices. [What survives](proof/survivors.md).',
  },
  'mutation-status': {title: 'Mutation: status', says: ''},
  'mutation-quoting': {title: 'Mutation: mint, quote, opening', says: ''},
  'mutation-telling': {title: 'Mutation: telling the merchant', says: ''},
  'mutation-journal': {title: 'Mutation: the journal', says: ''},
  'mutation-chains': {title: 'Mutation: addresses, amounts, tokens, networks', says: ''},
  'mutation-contract': {title: 'Mutation: the words on the two wires', says: ''},
  'mutation-reading': {title: 'Mutation: looking at the service', says: ''},
  sizes: {title: 'Sizes', says: 'What a page fetches, minified, gzip -9.'},
  peers: {
    title: 'Beside others',
    says: 'In one Chromium slowed four times, in turns; in [benchmarks](benchmarks.md), what each does and does not do.',
  },
  reads: {title: 'A status read beside bare node:http', says: 'The same bytes, in one run; 0.85 is wanted.'},
  rig: {
    title: 'Ten minutes of ten thousand charges',
    says: 'Three tabs each, on two proxies over one Redis behind nginx, all on one machine of two cores with the client.',
  },
  webhook: {title: 'From a payment to the page', says: 'On loopback; 250 ms are wanted.'},
}

const modelSchema = z.object({histories: z.number(), steps: z.number(), states: z.number(), seed: z.number()})

const isCheck = process.argv.includes('--check')
if (!isCheck) measure()
const kept = readProofs()
const page = await written(kept)
if (isCheck) check()
else writeFileSync(PAGE, page)

function measure(): void {
  const {status, stdout} = spawnSync('npm', ['run', '--silent', 'size'], {encoding: 'utf8'})
  if (status !== 0) throw new Error(`npm run size failed; build first\n${stdout}`)
  const rows = [...stdout.matchAll(/^(\S.*?) {2,}(\d\S* k?B)/gm)]
  keep('sizes', 'npm run build && npm run size', ['src/contract', 'src/core', 'src/element'], {
    ...Object.fromEntries(rows.map(([, what = '', size = '']) => [what, size])),
  })
  // What the last runs wrote.
  if (existsSync('reports/tests.json')) copyFileSync('reports/tests.json', `${proofs}/tests.json`)
  if (!existsSync('reports/model.json')) return
  const {histories, steps, states, seed} = z.parse(
    modelSchema,
    JSON.parse(readFileSync('reports/model.json', 'utf8')),
  )
  keep('model', 'npm run test:node', ['src/core', 'src/server', 'test/model'], {
    histories,
    steps,
    'distinct states': states,
    seed,
  })
}

function readProofs(): Proof[] {
  if (!existsSync(proofs)) return []
  const names = Object.keys(sections)
  const place = ({name}: Proof) => (names.includes(name) ? names.indexOf(name) : names.length)
  return readdirSync(proofs)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(readProof)
    .sort((a, b) => place(a) - place(b))
}

function check(): void {
  const stale = kept.filter(proof => changedSince(proof) > TOLERANCE)
  for (const {name, command} of stale)
    console.error(`${proofs}/${name}.json is older than its code allows: run ${command}, then npm run proof`)
  const isWritten = existsSync(PAGE) && readFileSync(PAGE, 'utf8') === page
  if (!isWritten) console.error(`${PAGE} is not what ${proofs} gives: run npm run proof`)
  if (stale.length > 0 || !isWritten) process.exitCode = 1
}

async function written(all: readonly Proof[]): Promise<string> {
  const text = `# Proof

Figures that anyone can have again, each with its command and its day. The page is made by \`npm run proof\` from the files
in [docs/proof](proof/). A figure counts as out of date, and CI fails, when more than ${TOLERANCE * 100} % of the code that it speaks of,
counted in lines of files that changed, came or went, is another than it was. [Found](proof/found.md) says which bugs came out.

${all.map(section).join('\n\n')}
`
  return format(text, {...(await resolveConfig(PAGE)), parser: 'markdown'})
}

function section({name, command, at, figures}: Proof): string {
  const {title, says} = sections[name] ?? {title: name, says: ''}
  const source = `\`${command}\`, ${at.slice(0, 10)}.`
  return [`## ${title}`, says, source, table(figures)].filter(Boolean).join('\n\n')
}

function table(figures: Proof['figures']): string {
  const rows = Object.entries(figures)
  const columns = [
    ...new Set(rows.flatMap(([, value]) => (typeof value === 'object' ? Object.keys(value) : []))),
  ]
  if (columns.length === 0)
    return lines([['', ''], ['---', '---:'], ...rows.map(([name, value]) => [name, told(value)])])
  return lines([
    ['', ...columns],
    ['---', ...columns.map(() => '---')],
    ...rows.map(([name, value]) => [
      name,
      ...(typeof value === 'object' ? columns.map(column => told(value[column])) : [told(value)]),
    ]),
  ])
}

function lines(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

function told(value: Proof['figures'][string] | undefined): string {
  if (value === undefined || typeof value === 'object') return ''
  const figure: Figure = value
  return typeof figure === 'number' ? figure.toLocaleString('en') : figure
}
