/** `npm run model [minutes]`: plays fresh histories of a charge, batch after batch, until the time is over or one fails. */
import {spawnSync} from 'node:child_process'

const minutes = Number(process.argv[2] ?? 10)
const end = Date.now() + minutes * 60_000
let seed = Date.now() % 2 ** 31
let status: number | null = 0
while (status === 0 && Date.now() < end) {
  seed++
  const env = {...process.env, MODEL_SEED: String(seed), MODEL_RUNS: '2000'}
  status = spawnSync('node', ['--import', 'tsx', '--test', 'test/simulation/histories.test.ts'], {
    stdio: 'inherit',
    env,
  }).status
}
process.exitCode = status ?? 1
