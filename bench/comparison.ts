/**
 * Compares our script tag with two other checkouts that render in the page, and with a static page that already has our DOM,
 * in one Chromium with a CPU slowed four times: `npm run bench comparison`; `ROUNDS=9 MOUNTS=1000`.
 */
import {cryptoCheckout, otherCheckouts, type Contender} from './comparison/contenders.js'
import {floorOf} from './comparison/floor.js'
import {openBrowser, type Conditions, type Measured} from './comparison/measure.js'
import {recordResponses} from './comparison/recorded-responses.js'
import {startTrace, type Work} from './comparison/trace.js'

const ROUNDS = Math.min(Number(process.env['ROUNDS'] ?? 7), 25)
const MOUNTS = Math.min(Number(process.env['MOUNTS'] ?? 1_000), 1_000)
const CPU_SLOWDOWN = 4
const allConditions = (['local', 'slow'] as const).flatMap(network =>
  (['cold', 'warm'] as const).map((cache): Conditions => ({cpuSlowdown: CPU_SLOWDOWN, network, cache})),
)

const ours = await cryptoCheckout(await recordResponses())
if (!ours.choose) throw new Error('our checkout has a choice')
const floor = await floorOf(ours, ours.choose)
const others = process.env['OTHERS'] === '0' ? [] : await otherCheckouts()
const contenders = [floor, ours, ...others]
const browser = await openBrowser(contenders)
try {
  console.log(`Chromium, CPU slowed ${CPU_SLOWDOWN} times, medians of ${ROUNDS} rounds, in ms`)
  for (const conditions of allConditions) await compare(conditions)
  await compareSizes()
  await compareWork()
} finally {
  await browser.close()
}

async function compare(conditions: Conditions): Promise<void> {
  const rounds = new Map(contenders.map(contender => [contender, new Array<Measured>()]))
  for (let round = 0; round < ROUNDS; round++)
    for (const contender of contenders)
      rounds.get(contender)?.push(await browser.measure(contender, conditions))
  const medianOf = (contender: Contender, value: (measured: Measured) => number | undefined) =>
    median((rounds.get(contender) ?? []).flatMap(measured => value(measured) ?? []))
  const row = (what: string, value: (measured: Measured) => number | undefined) => {
    const [base, ...values] = contenders.map(contender => medianOf(contender, value))
    print(what, [
      integer(base),
      ...values.map(one =>
        one === undefined || base === undefined
          ? '–'
          : `${integer(one)} (+${integer(Math.max(0, one - base))})`,
      ),
    ])
  }
  console.log(
    `\n${conditions.network === 'slow' ? '1.6 Mbit/s, 150 ms' : 'local network'}, ${conditions.cache} cache; in brackets: above the floor\n`,
  )
  print(
    '',
    contenders.map(({name}) => name),
  )
  row('tag to list, painted and usable', ({list}) => list.shown)
  print(
    'script, request and response of charge',
    contenders.map(contender =>
      (['script', 'request', 'response'] as const)
        .map(step => integer(medianOf(contender, ({list}) => list[step] ?? undefined)))
        .join(', '),
    ),
  )
  row('longest task meanwhile', ({list}) => list.longestTask)
  row('choice to QR code, without response', ({choice}) =>
    choice ? choice.shown - choice.response : undefined,
  )
  row('longest task after the choice', ({choice}) => choice?.longestTask)
}

async function compareSizes(): Promise<void> {
  console.log()
  const local: Conditions = {cpuSlowdown: CPU_SLOWDOWN, network: 'local', cache: 'cold'}
  const mountable = contenders.filter(({entry}) => entry)
  print(
    '',
    mountable.map(({name}) => name),
  )
  const measured: Measured[] = []
  const evaluations: number[] = []
  for (const contender of mountable) {
    measured.push(await browser.measure(contender, local))
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await browser.evaluation(contender, CPU_SLOWDOWN))
    evaluations.push(median(rounds) ?? NaN)
  }
  print(
    'until the list, gzip -9',
    measured.map(({firstLoad}) => `${(firstLoad / 1000).toFixed(1)} kB`),
  )
  print(
    'until the end, gzip -9',
    measured.map(({total}) => `${(total / 1000).toFixed(1)} kB`),
  )
  print(
    'script evaluation',
    evaluations.map(one => `${integer(one)} ms`),
  )
  if (MOUNTS === 0) return
  const memory = []
  for (const contender of mountable) memory.push(await browser.measureMemory(contender, MOUNTS))
  print(
    'mounts and removals',
    memory.map(({mounts}) => integer(mounts)),
  )
  print(
    'elements not collected',
    memory.map(({elements}) => integer(elements)),
  )
  print(
    'nodes not collected',
    memory.map(({nodes}) => integer(nodes)),
  )
  print(
    'heap retained by each mount',
    memory.map(({bytesEach}) => `${integer(bytesEach)} bytes`),
  )
}

/** Where the time of the main thread goes, of the floor and of ours. */
async function compareWork(): Promise<void> {
  const local: Conditions = {cpuSlowdown: CPU_SLOWDOWN, network: 'local', cache: 'cold'}
  const work = new Map([floor, ours].map(contender => [contender, new Array<Work>()]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [contender, rounds] of work)
      await browser.measure(contender, local, async page => {
        const stop = await startTrace(page)
        return async () => void rounds.push(await stop('bench:tag', 'bench:shown'))
      })
  console.log('\nwork of the main thread from the tag to the list, traced\n')
  print('', [floor.name, ours.name])
  const kinds = new Set([...work.values()].flat().flatMap(Object.keys))
  for (const kind of kinds)
    print(
      kind,
      [...work.values()].map(rounds => integer(median(rounds.map(one => one[kind] ?? 0)))),
    )
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function integer(value: number | undefined): string {
  return value === undefined ? '–' : Math.round(value).toString()
}

function print(what: string, cells: readonly string[]): void {
  console.log([what.padEnd(38), ...cells.map(cell => cell.padStart(18))].join(''))
}
