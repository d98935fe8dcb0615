/** The tarball as it would be published, and a project that has it installed. */
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {z} from 'zod'

export const {name, version, dependencies} = z
  .object({name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string())})
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const packed = z.tuple([z.object({filename: z.string(), files: z.array(z.object({path: z.string()}))})])

export interface Packed {
  readonly tarball: string
  readonly files: readonly string[]
}

/** Packs what `dist` holds into a folder. */
export function pack(folder: string): Packed {
  const {stdout} = run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [{filename, files}] = packed.parse(JSON.parse(stdout))
  return {tarball: join(folder, filename), files: files.map(({path}) => path)}
}

/** A new project with the tarball and its dependencies, as an install would leave it, but without a network. */
export function install(tarball: string, project: string): void {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, name), {recursive: true})
  run('tar', '-xzf', tarball, '-C', join(modules, name), '--strip-components=1')
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  for (const dependency of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, dependency)), {recursive: true})
    symlinkSync(resolve('node_modules', dependency), join(modules, dependency), 'junction')
  }
}

/** Gives a project a copy of one of our packages, under another name where that is the point. */
export function give(dependency: string, project: string, as = dependency): void {
  const place = join(project, 'node_modules', as)
  rmSync(place, {recursive: true, force: true})
  cpSync(join('node_modules', dependency), place, {recursive: true})
}

/** @throws with what the command said */
export function run(command: string, ...args: string[]) {
  const result = spawnSync(command, args, {encoding: 'utf8'})
  if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`.trim() || `${command} failed`)
  return result
}
