/**
 * Compares our script tag with a static page that already has our DOM (the floor) and with checkouts of others, in one
 * Chromium with a CPU slowed four times: `npm run bench comparison`; `ROUNDS=9`.
 */
import {builtWithNames} from '../test/e2e/script-tag/test-server.js'
import {launchChromium} from '../test/engines/puppeteer.js'
import {
  cryptoCheckout,
  floorOf,
  otherCheckouts,
  withoutIcons,
  type Contender,
} from './comparison/contenders.js'
import {
  CPU_SLOWDOWN,
  openPage,
  type Conditions,
  type Measured,
  type MeasuredPage,
} from './comparison/measure.js'
import {median} from './median.js'

const ROUNDS = Math.min(Number(process.env['ROUNDS'] ?? 7), 25)
const allConditions = (['local', 'slow'] as const).flatMap(network =>
  (['cold', 'warm'] as const).map((cache): Conditions => ({network, cache})),
)

const {ours, painted, usable} = await cryptoCheckout()
const browser = await launchChromium()
try {
  const shown = await openPage(browser, withoutIcons(ours))
  const floor = floorOf(ours, ...(await shown.snapshots()))
  shown.close()
  const open = (contender: Contender) => openPage(browser, contender)
  const pages = await Promise.all([floor, ours, painted, usable].map(open))
  const others = await Promise.all((await otherCheckouts()).map(open))
  console.log(`Chromium, CPU slowed ${CPU_SLOWDOWN} times, medians of ${ROUNDS} rounds, in ms`)
  for (const conditions of allConditions) await compare(pages, others, conditions)
  const named = await openPage(browser, {...withoutIcons(ours), files: await builtWithNames()})
  await printProfile(named)
  for (const page of [...pages, ...others, named]) page.close()
} finally {
  await browser.close()
}

async function compare(
  own: readonly MeasuredPage[],
  others: readonly MeasuredPage[],
  conditions: Conditions,
): Promise<void> {
  const pages = [...own, ...others]
  const rounds = pages.map(() => new Array<Measured>())
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, page] of pages.entries()) rounds[index]?.push(await page.measure(conditions))
  const medians = (value: (measured: Measured) => number) =>
    rounds.map(measured => median(measured.map(value)))
  const shown = medians(({list}) => list.usable || list.shown)
  const [floor = NaN] = shown
  const best = Math.min(...shown.slice(own.length))
  const rows: Readonly<Record<string, readonly number[]>> = {
    'tag to list, painted and usable': shown,
    'the same, % of the floor': shown.map(ms => (100 * ms) / floor),
    'above the floor, % of the best other': shown.map(ms => (100 * (ms - floor)) / (best - floor)),
    'tag to networks, clicked when usable': medians(({list}) => (list.usable ? list.shown : NaN)),
    'choice to QR code, without response': medians(({choice}) => choice.shown - choice.response),
  }
  const table = Object.entries(rows).map(([what, values]) => [
    what,
    Object.fromEntries(pages.map(({name}, index) => [name, Math.round(values[index] ?? NaN)])),
  ])
  const network = conditions.network === 'slow' ? '1.6 Mbit/s, 150 ms' : 'local network'
  console.log(`\n${network}, ${conditions.cache} cache`)
  console.table(Object.fromEntries(table))
}

/** The functions that take longest, with their share of the time in which a script runs. */
async function printProfile(page: MeasuredPage): Promise<void> {
  const rounds: ReadonlyMap<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await page.profile())
  const names = [...new Set(rounds.flatMap(times => [...times.keys()]))]
  const rows = names
    .filter(name => !/^\((idle|program|root)\)$/.test(name))
    .map(name => ({name, ms: median(rounds.map(times => times.get(name) ?? 0))}))
    .toSorted((a, b) => b.ms - a.ms)
  const total = rows.reduce((sum, {ms}) => sum + ms, 0)
  const shown = rows
    .slice(0, 15)
    .map(({name, ms}) => [name, {ms: Math.round(ms), '%': Math.round((100 * ms) / total)}])
  console.log('\nself time by function, local network, cold cache')
  console.table(Object.fromEntries(shown))
}
