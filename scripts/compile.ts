/**
 * Compiles `test/consumers` against the packed tarball as strictly as a merchant may, declarations of all packages
 * included, with the oldest TypeScript that is meant to work, the last of its line, and our own.
 */
import {spawn} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {tell} from './counts.js'
import {give, install, pack, run} from './packing.js'

const consumers = 'test/consumers'
const older = join('node_modules', '.cache', 'consumers')
const folder = mkdtempSync(join(tmpdir(), 'compile-'))

const compilers = {
  '5.6': join(older, 'node_modules', 'typescript-5.6'),
  '5.9': join(older, 'node_modules', 'typescript-5.9'),
  '6.0': 'node_modules/typescript',
}
const resolutions = {
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
}
const page = ['--lib', 'es2022,dom,dom.iterable']
const doors = {
  'the page’s doors': [...page, 'root.ts', 'element.ts'],
  'the React door with React 18': [...page, '--jsx', 'react-jsx', 'react.tsx'],
  'the React door with React 19': [...page, '--jsx', 'react-jsx', 'react.tsx'],
  'the server’s doors': ['--lib', 'es2022', '--types', 'node', 'server.ts', 'sandbox.ts'],
}
const strictly = [
  ...[
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--skipLibCheck',
    'false',
    '--skipDefaultLibCheck',
    '--verbatimModuleSyntax',
  ],
  ...[
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--noUnusedLocals',
    '--noImplicitOverride',
  ],
]

installOlder()
const {tarball} = pack(folder)
for (const door of Object.keys(doors)) prepare(door)

/** How React 18's types are found makes no difference that 19's do not show. */
const isSpared = (door: string, resolution: string) => door.endsWith('18') && resolution === 'nodenext'

const waiting = Object.entries(doors).flatMap(([door, options]) =>
  Object.entries(compilers).flatMap(([version, compiler]) =>
    Object.entries(resolutions)
      .filter(([resolution]) => !isSpared(door, resolution))
      .map(([resolution, how]) => ({
        sentence: `${door} compile with TypeScript ${version}, ${resolution}`,
        args: [resolve(compiler, 'bin/tsc'), ...strictly, ...how, ...options],
        cwd: join(folder, door),
      })),
  ),
)
let passed = 0
let failed = 0
await Promise.all([compileNext(), compileNext()])
rmSync(folder, {recursive: true})
tell({passed, failed})
process.exitCode = failed > 0 ? 1 : 0

/** Two at a time. */
async function compileNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const {sentence, args, cwd} = next
    const complaints = await compiled(args, cwd)
    if (complaints === '') passed++
    else failed++
    console.log(complaints === '' ? `✔ ${sentence}` : `✖ ${sentence}\n${complaints}`)
  }
}

function compiled(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {cwd, stdio: ['ignore', 'pipe', 'inherit']})
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', code => resolve(code === 0 ? '' : output || `ended with ${String(code)}`))
  })
}

/** A project of its own for each, so that none finds types which it does not bring. */
function prepare(door: string): void {
  const project = join(folder, door)
  install(tarball, project)
  cpSync(consumers, project, {recursive: true, filter: name => !name.endsWith('.json')})
  if (door.endsWith('18')) give(join('.cache', 'consumers', 'node_modules', '@types'), project, '@types')
  if (door.endsWith('19')) give('@types/react', project)
  if (door.includes('React')) give('csstype', project)
  if (door.includes('server')) for (const types of ['@types/node', 'undici-types']) give(types, project)
}

/** Kept, because they are large and never change. */
function installOlder(): void {
  const [wanted, kept] = [join(consumers, 'package.json'), join(older, 'package.json')]
  if (existsSync(kept) && readFileSync(kept, 'utf8') === readFileSync(wanted, 'utf8')) return
  rmSync(older, {recursive: true, force: true})
  mkdirSync(older, {recursive: true})
  cpSync(wanted, kept)
  run('npm', 'install', '--prefix', older, '--no-package-lock', '--no-audit', '--no-fund')
}
