/**
 * `npm run mutation [room …]`: breaks the code in small ways, one at a time, and counts how many of these the tests
 * notice. The whole report of a room
 * is `reports/mutation/<room>.json`.
 */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import * as z from 'zod'
import {rooms} from './mutation/rooms.js'

const reportSchema = z.object({
  files: z.record(z.string(), z.object({mutants: z.array(z.object({status: z.string()}))})),
})

type Mutants = readonly {readonly status: string}[]

const wanted = process.argv.slice(2)
const unknown = wanted.find(room => !Object.hasOwn(rooms, room))
if (unknown !== undefined) {
  console.error(`no room ${unknown}; there are ${Object.keys(rooms).join(', ')}`)
  process.exit(1)
}

for (const room of wanted.length > 0 ? wanted : Object.keys(rooms)) {
  const {status} = spawnSync('npx', ['stryker', 'run'], {
    stdio: 'inherit',
    env: {...process.env, MUTATION_ROOM: room},
  })
  if (status !== 0) process.exit(status ?? 1)
  keepFigures(room)
}

function keepFigures(room: string): void {
  const {files} = reportSchema.parse(JSON.parse(readFileSync(`reports/mutation/${room}.json`, 'utf8')))
  const looked = Object.entries(files).filter(([, {mutants}]) => countable(mutants).length > 0)
  const all = looked.flatMap(([, {mutants}]) => mutants)
  console.log(room, figures(all))
}

/** Those that a test could notice: neither left out by the configuration, nor broken beyond running. */
function countable(mutants: Mutants): Mutants {
  return mutants.filter(({status}) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
}

function figures(mutants: Mutants) {
  const count = (wanted: string) => mutants.filter(({status}) => status === wanted).length
  const killed = count('Killed')
  const timeout = count('Timeout')
  const noticed = (killed + timeout) / countable(mutants).length
  return {
    'noticed %': Math.round(1000 * noticed) / 10,
    killed,
    'ended by time': timeout,
    survived: count('Survived'),
    'not run': count('NoCoverage'),
  }
}
