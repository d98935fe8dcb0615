/** The tarball as it would be published, and projects that have it installed. */
import {execFile} from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join, resolve} from 'node:path'
import {after} from 'node:test'
import {z} from 'zod'

export const {name, version, dependencies} = z
  .object({name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string())})
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const packed = z.tuple([z.object({filename: z.string(), files: z.array(z.object({path: z.string()}))})])

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  after(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}

/** Packs what `npm run build` made. */
export async function pack(folder: string) {
  if (!existsSync('dist/custom-elements.json')) throw new Error('dist is missing: npm run build')
  const output = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])
  const [{filename, files}] = packed.parse(JSON.parse(output))
  return {tarball: join(folder, filename), files: files.map(({path}) => path)}
}

/**
 * A project with the tarball and the dependencies that it declares, as an install leaves it, without a network.
 *
 * @param isNested for a project that may have the same dependencies in other versions
 */
export async function install(tarball: string, project: string, {isNested = false} = {}): Promise<void> {
  const modules = join(project, 'node_modules')
  const own = join(modules, name)
  rmSync(own, {recursive: true, force: true})
  mkdirSync(own, {recursive: true})
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  for (const dependency of Object.keys(dependencies)) {
    const link = join(isNested ? join(own, 'node_modules') : modules, dependency)
    mkdirSync(dirname(link), {recursive: true})
    symlinkSync(resolve('node_modules', dependency), link, 'junction')
  }
}

/**
 * Installs tools that are too large for our own development dependencies. A change of the list installs them again.
 *
 * @param list such as `test/package/tools.json`
 * @returns the folder of their packages
 */
export async function installTools(list: string): Promise<string> {
  const root = resolve('node_modules/.cache', `${basename(dirname(list))}-tools`)
  const tools = join(root, 'node_modules')
  const installed = join(tools, basename(list))
  const isInstalled = () =>
    existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(list, 'utf8')
  if (isInstalled()) return tools
  mkdirSync(dirname(root), {recursive: true})
  // Another process may install the same list.
  const own = mkdtempSync(`${root}-`)
  cpSync(list, join(own, 'package.json'))
  await run('npm', ['install', '--prefix', own, '--no-package-lock', '--no-audit', '--no-fund'])
  cpSync(list, join(own, 'node_modules', basename(list)))
  if (!isInstalled()) {
    rmSync(root, {recursive: true, force: true})
    renameSync(own, root)
  } else rmSync(own, {recursive: true})
  return tools
}

/** Copies a package from `from` into a project, under a name of its own if wanted. */
export function copyPackage(project: string, as: string, from = join('node_modules', as)): void {
  const target = join(project, 'node_modules', as)
  rmSync(target, {recursive: true, force: true})
  cpSync(from, target, {recursive: true})
}

/** @throws with what the command printed */
export function run(command: string, args: readonly string[], cwd = '.'): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(command, args, {cwd, maxBuffer: 50_000_000}, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}`.trim() || error.message))
      else resolve(stdout)
    }),
  )
}
