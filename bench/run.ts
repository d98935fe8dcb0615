/** `npm run bench <name>`: runs `bench/<name>.ts`. */
import {argv} from 'node:process'

const names = [
  'comparison',
  'endurance',
  'flood',
  'hour',
  'news',
  'pages',
  'scale',
  'status-reads',
  'stores',
  'waiting',
]
const [, , name = ''] = argv
if (names.includes(name)) await import(`./${name}.ts`)
else {
  console.error(`npm run bench <name>, one of: ${names.join(', ')}`)
  process.exitCode = 1
}
