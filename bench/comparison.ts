/**
 * Compares our script tag with two other checkouts that render in the page, in one Chromium with a CPU slowed four times:
 * `npm run bench comparison`; `ROUNDS=9 MOUNTS=1000`. docs/benchmarks.md describes what each does.
 */
import {cryptoCheckout, otherCheckouts} from './comparison/contenders.js'
import {openBrowser, type Measured, type Memory} from './comparison/measure.js'
import {recordResponses} from './comparison/recorded-responses.js'

const ROUNDS = Math.min(Number(process.env['ROUNDS'] ?? 5), 25)
const MOUNTS = Math.min(Number(process.env['MOUNTS'] ?? 1_000), 1_000)
const CPU_SLOWDOWN = 4

const contenders = [await cryptoCheckout(await recordResponses()), ...(await otherCheckouts())]
const browser = await openBrowser(contenders)
const rounds = contenders.map((): Measured[] => [])
const memory: Memory[] = []
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, contender] of contenders.entries())
      rounds[index]?.push(await browser.measure(contender, CPU_SLOWDOWN))
  for (const contender of contenders) memory.push(await browser.measureMemory(contender, MOUNTS))
} finally {
  await browser.close()
}

const rows: [string, (number | null)[], string][] = [
  ['first load, gzip -9', medians('firstLoad').map(thousands), 'kB'],
  ['all files until the QR code', medians('total').map(thousands), 'kB'],
  ['script evaluation', medians('evaluation'), 'ms'],
  ['from the tag to usable', medians('usable'), 'ms'],
  ['long tasks until usable', medians('longTasks'), 'ms'],
  ['from the choice to the QR code', medians('chosen'), 'ms'],
  ['mounts and removals', memory.map(({mounts}) => mounts), ''],
  ['elements not collected', memory.map(({elements}) => elements), ''],
  ['nodes not collected', memory.map(({nodes}) => nodes), ''],
  ['heap retained by each mount', memory.map(({bytesEach}) => bytesEach), 'bytes'],
]
console.log(
  `Chromium slowed ${CPU_SLOWDOWN} times, medians of ${ROUNDS} rounds; in brackets, multiples of ours\n`,
)
print(
  '',
  contenders.map(({name}) => name),
)
for (const [what, [mine = null, ...theirs], unit] of rows)
  print(what, [
    figure(mine, unit),
    ...theirs.map(
      one =>
        figure(one, unit) + (mine && one && unit !== 'bytes' && unit ? ` (${(one / mine).toFixed(1)})` : ''),
    ),
  ])

function medians(name: keyof Measured): (number | null)[] {
  return rounds.map(measured => {
    const values = measured.flatMap(one => one[name] ?? []).sort((a, b) => a - b)
    return values[Math.floor(values.length / 2)] ?? null
  })
}

function thousands(value: number | null): number | null {
  return value === null ? null : value / 1000
}

function figure(value: number | null, unit: string): string {
  return value === null ? '–' : `${unit === 'kB' ? value.toFixed(1) : Math.round(value)} ${unit}`.trim()
}

function print(what: string, cells: readonly string[]): void {
  console.log([what.padEnd(32), ...cells.map(cell => cell.padStart(22))].join(''))
}
