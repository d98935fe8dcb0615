/** The tests that docs/testing.md shows, and a few more, run by its commands in a project that has the packed package. */
import assert from 'node:assert/strict'
import {cpSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, it} from 'node:test'
import {z} from 'zod'
import {install, installTools, pack, run, temporaryFolder} from '../package/project.js'
import {snippet} from '../runtimes/shops.js'

const PAGE = 'docs/testing.md'
const TOOLS = 'test/frameworks/tools.json'
const tools = await installTools(TOOLS)
const {dependencies} = z
  .object({dependencies: z.record(z.string(), z.string())})
  .parse(JSON.parse(readFileSync(TOOLS, 'utf8')))
const project = temporaryFolder()
await install((await pack(project)).tarball, project)
for (const name of ['.bin', ...Object.keys(dependencies)])
  symlinkSync(join(tools, name), join(project, 'node_modules', name), 'junction')
for (const file of ['shop.js', 'shop.test.js']) write(file, 'In your own tests')
for (const file of ['page.test.js', 'vitest.config.js', 'jest.config.js'])
  write(file, 'The element in Vitest and Jest')
cpSync('test/frameworks/more-page-tests.js', join(project, 'more-page.test.js'))

const commands = readFileSync(PAGE, 'utf8').split('\n')
const command = (runner: string) =>
  commands.find(line => line.endsWith('.test.js') && line.includes(runner)) ?? assert.fail(runner)

/** Of Lit in development, and of Node. */
const notOurs =
  /^Lit is in dev mode.*|^\(node:\d+\) ExperimentalWarning: .*|^\(Use `node --trace-warnings .*/gm

describe('tests of shops, with the commands and packages of the page:', () => {
  it('the server, in less than a second', async () => {
    const durations: number[] = []
    // A busy machine needs longer, but not each time.
    for (let tries = 0; tries < 3; tries++) {
      const output = await runIn(command('--test'))
      durations.push(Number(/(?:duration_ms: |once \()([\d.]+)/.exec(output)?.[1]))
    }
    assert.ok(Math.min(...durations) < 1_000, durations.join())
  })

  it('packages that the page installs are the ones that are tested', () => {
    const named = commands.flatMap(line => /^npm install --save-dev (.*)/.exec(line)?.[1]?.split(' ') ?? [])
    assert.deepEqual([...named, 'happy-dom'].sort(), Object.keys(dependencies).sort())
  })

  for (const environment of ['jsdom', 'happy-dom'])
    it(`the element, in Vitest and ${environment}`, async () => {
      const config = snippet(PAGE, 'The element in Vitest and Jest', 'vitest.config.js')
      writeFileSync(join(project, 'vitest.config.js'), config.replace("'jsdom'", `'${environment}'`))
      await check('vitest', /Tests +10 passed/)
    })

  it('the element, in Jest', () => check('jest', /Tests: +10 passed/))
})

function write(file: string, heading: string): void {
  writeFileSync(join(project, file), snippet(PAGE, heading, file))
}

/** Nothing is rejected, thrown or warned of, also when the page is gone. */
async function check(runner: string, passed: RegExp): Promise<void> {
  const output = (await runIn(`${command(runner)} more-page.test.js --testTimeout=60000`)).replaceAll(
    notOurs,
    '',
  )
  assert.match(output, passed)
  assert.doesNotMatch(output, /error|warn|reject|exception|not implemented|console\./i)
}

/** @throws with what the command printed */
function runIn(line: string): Promise<string> {
  return run('sh', ['-c', `unset NODE_TEST_CONTEXT; NO_COLOR=1 ${line} 2>&1`], project)
}
