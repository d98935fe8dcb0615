/**
 * Fails if the element has become much slower: `npm run bench guard`. It compares evaluation, asset picker and choice with
 * a fixed piece of work in the same browser, so that the ratio does not depend on the machine. The limits are more than
 * twice the ratios measured in November 2026. `.size-limit.js` limits the bytes, and `test/e2e/script-tag/memory.test.ts`
 * the memory.
 */
import {cryptoCheckout} from './comparison/contenders.js'
import {openBrowser} from './comparison/measure.js'
import {recordResponses} from './comparison/recorded-responses.js'

const ROUNDS = 3
const CPU_SLOWDOWN = 4
const conditions = {cpuSlowdown: CPU_SLOWDOWN, network: 'local', cache: 'cold'} as const
/** Multiples of the reference. */
const limits = {evaluation: 0.1, usable: 2.5, chosen: 1.5}

const contender = await cryptoCheckout(await recordResponses())
const browser = await openBrowser([contender])
const ratios: Record<keyof typeof limits, number[]> = {evaluation: [], usable: [], chosen: []}
try {
  for (let round = 0; round < ROUNDS; round++) {
    const reference = await browser.reference(contender, CPU_SLOWDOWN)
    const {list, choice} = await browser.measure(contender, conditions)
    ratios.evaluation.push((await browser.evaluation(contender, CPU_SLOWDOWN)) / reference)
    ratios.usable.push(list.shown / reference)
    ratios.chosen.push((choice?.shown ?? Infinity) / reference)
  }
} finally {
  await browser.close()
}

for (const what of ['evaluation', 'usable', 'chosen'] as const) {
  // The best round, because other programs on the machine only make it slower.
  const ratio = Math.min(...ratios[what])
  const isSlower = ratio > limits[what]
  console.log(
    `${what.padEnd(12)} ${ratio.toFixed(2)} of the reference, limit ${limits[what]}${isSlower ? ': exceeded' : ''}`,
  )
  if (isSlower) process.exitCode = 1
}
