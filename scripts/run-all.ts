/**
 * `run-all <item> … [then <item> …]`: runs npm scripts or commands, two at a time, and all of them even if one fails.
 * `then` waits for the items before it. The last line counts the whole run: tests where an item reports them (`node:test`,
 * the browser runner, another `run-all`), else one for the item.
 */
import {spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {createInterface} from 'node:readline'
import {stripVTControlCharacters} from 'node:util'
import * as z from 'zod/mini'

interface Result {
  readonly item: string
  readonly passed: number
  readonly failed: number
  readonly seconds: number
}

const {scripts} = z.parse(
  z.object({scripts: z.record(z.string(), z.string())}),
  JSON.parse(readFileSync('package.json', 'utf8')),
)
const jobs = Math.min(2, availableParallelism())
const results: Result[] = []
const width = Math.max(...process.argv.slice(2).map(item => item.length))

const stages: string[][] = [[]]
for (const item of process.argv.slice(2))
  if (item === 'then') stages.push([])
  else stages.at(-1)?.push(item)

for (const waiting of stages)
  await Promise.all(
    Array.from({length: jobs}, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
    }),
  )

console.log()
for (const result of results) print(result)
const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 ? 1 : 0

async function run(item: string): Promise<void> {
  const started = performance.now()
  const [name = ''] = item.split(' ')
  const command = name in scripts ? `npm run --silent ${item}` : item
  const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe']})
  let [passed, failed] = [0, 0]
  for (const stream of [child.stdout, child.stderr])
    createInterface({input: stream}).on('line', line => {
      console.log(`${name} │ ${line}`)
      const text = stripVTControlCharacters(line)
      const [, outcome, tests] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(text) ?? []
      const [, more, fewer] = /^(\d+) passed, (\d+) failed$/.exec(text) ?? []
      if (outcome === 'pass') passed += Number(tests)
      else failed += Number(tests ?? 0)
      passed += Number(more ?? 0)
      failed += Number(fewer ?? 0)
    })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  if (code !== 0 && failed === 0) failed = 1
  if (passed + failed === 0) passed = 1
  const result = {item, passed, failed, seconds: (performance.now() - started) / 1000}
  results.push(result)
  print(result)
}

function print({item, passed, failed, seconds}: Result): void {
  const mark = failed > 0 ? '✖' : '✔'
  const cells = [passed, failed, seconds.toFixed()].map(cell => String(cell).padStart(5))
  console.log(`${mark} ${item.padEnd(width)} ${cells[0]} passed, ${cells[1]} failed in ${cells[2]} s`)
}
