/**
 * Holds what `bench peers` measures against itself, without the peers: `npm run bench guard`. The measure is a piece of
 * work of the same kind in the same browser, so that a slow machine is slow for both; the bounds are more than twice what was
 * measured in November 2026, so that only a real loss crosses them. Bytes have their budgets in scripts/size.ts, and the
 * memory of 1,000 mounts its test in test/e2e/script-tag.
 */
import {answers} from './peers/answers.js'
import {ours} from './peers/pages.js'
import {openStage} from './peers/stage.js'

const ROUNDS = 3
const SLOWED = 4
/** Times the reference. */
const bounds = {evaluation: 0.1, usable: 2.5, chosen: 1.5}

const contender = await ours(await answers())
const stage = await openStage([contender])
const ratios: Record<keyof typeof bounds, number[]> = {evaluation: [], usable: [], chosen: []}
try {
  for (let round = 0; round < ROUNDS; round++) {
    const reference = await stage.reference(contender, SLOWED)
    const measured = await stage.measure(contender, SLOWED)
    for (const what of ['evaluation', 'usable', 'chosen'] as const)
      ratios[what].push((measured[what] ?? Infinity) / reference)
  }
} finally {
  await stage.close()
}

for (const what of ['evaluation', 'usable', 'chosen'] as const) {
  // The best round is the one that nothing else on the machine disturbed.
  const ratio = Math.min(...ratios[what])
  const isOver = ratio > bounds[what]
  console.log(
    `${what.padEnd(12)} ${ratio.toFixed(2)} of the reference, bound ${bounds[what]}${isOver ? ': over it' : ''}`,
  )
  if (isOver) process.exitCode = 1
}
