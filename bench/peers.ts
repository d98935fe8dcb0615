/**
 * Our script tag beside two peers that draw themselves, in one Chromium that is slowed four times, in rounds that take
 * turns: `npm run bench peers`; `ROUNDS=9 MOUNTS=1000`. docs/benchmarks.md says what each does and does not do.
 */
import {answers} from './peers/answers.js'
import {ours, peers} from './peers/pages.js'
import {openStage, type Kept, type Measured} from './peers/stage.js'

const ROUNDS = Math.min(Number(process.env['ROUNDS'] ?? 5), 25)
const MOUNTS = Math.min(Number(process.env['MOUNTS'] ?? 1_000), 1_000)
const SLOWED = 4

const contenders = [await ours(await answers()), ...(await peers())]
const stage = await openStage(contenders)
const rounds = contenders.map((): Measured[] => [])
const kept: Kept[] = []
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, contender] of contenders.entries())
      rounds[index]?.push(await stage.measure(contender, SLOWED))
  for (const contender of contenders) kept.push(await stage.keep(contender, MOUNTS))
} finally {
  await stage.close()
}

const rows: [string, (number | null)[], string][] = [
  ['first load, gzip -9', medians('firstLoad').map(thousands), 'kB'],
  ['with all until the end', medians('inAll').map(thousands), 'kB'],
  ['script evaluation', medians('evaluation'), 'ms'],
  ['from the tag to usable', medians('usable'), 'ms'],
  ['long tasks until usable', medians('longTasks'), 'ms'],
  ['from the choice to the QR', medians('chosen'), 'ms'],
  ['mounts and removals', kept.map(({mounts}) => mounts), ''],
  ['elements left of those', kept.map(({elements}) => elements), ''],
  ['nodes left of those', kept.map(({nodes}) => nodes), ''],
  ['heap kept of each', kept.map(({bytesEach}) => bytesEach), 'bytes'],
]
console.log(`Chromium slowed ${SLOWED} times, medians of ${ROUNDS} rounds; in brackets, times ours\n`)
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
  console.log([what.padEnd(28), ...cells.map(cell => cell.padStart(22))].join(''))
}
