/** A project of examples/ in a folder of its own, with our package from the tarball and all others from the registry. */
import assert from 'node:assert/strict'
import {cp, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {installTools} from '../package/project.js'
import {startProcess} from '../system/start-process.js'

/** Variables that keep tools from asking, and from reporting to their makers. */
export const quiet = {
  CI: '1',
  NG_CLI_ANALYTICS: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

const npmOptions = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline', '--silent']

/** A file, a text in it, and what replaces the text. */
export type Edit = readonly [file: string, from: string, to: string]

/** The program that installs the packages. Yarn does it with Plug'n'Play, its default. */
export type Manager = 'npm' | 'pnpm' | 'yarn'

export class Project {
  private constructor(
    readonly folder: string,
    /** The command. */
    readonly manager: readonly string[],
  ) {}

  static async install(
    app: string,
    folder: string,
    tarball: string,
    {manager = 'npm', edits = []}: {manager?: Manager | undefined; edits?: readonly Edit[] | undefined} = {},
  ): Promise<Project> {
    const project = new Project(folder, await commandOf(manager))
    const isSource = (path: string) => !/\/(node_modules|\.next|\.wrangler)$/.test(path)
    await cp(join('examples', app), folder, {recursive: true, filter: isSource})
    for (const [file, from, to] of edits) await project.#replace(file, from, to)
    if (manager === 'yarn') await project.#setUpYarn()
    // wrangler alone needs a newer Node than the package.
    const strict = app === 'workers' ? [] : ['--engine-strict']
    const options = manager === 'npm' ? [...npmOptions, ...strict] : []
    await project.run(...project.manager, 'add', ...options, `crypto-checkout@file:${tarball}`)
    return project
  }

  /** Without these files, Yarn takes the folder for a part of a project above it. */
  async #setUpYarn(): Promise<void> {
    const registry = (await this.run('npm', 'config', 'get', 'registry')).trim()
    await writeFile(join(this.folder, 'yarn.lock'), '')
    await writeFile(
      join(this.folder, '.yarnrc.yml'),
      `npmRegistryServer: "${registry}"\nenableTelemetry: false\n`,
    )
  }

  async #replace(file: string, from: string, to: string): Promise<void> {
    const path = join(this.folder, file)
    const text = await readFile(path, 'utf8')
    assert.ok(text.includes(from), `${file} has no ${from}`)
    await writeFile(path, text.replace(from, to))
  }

  async has(script: string): Promise<boolean> {
    const {scripts} = JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8'))
    return script in scripts
  }

  /** Resolves to the output. */
  async run(...[command = '', ...args]: readonly string[]): Promise<string> {
    const {code, output} = await this.#execute(command, args)
    assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`)
    return output
  }

  /** The errors that an installed tool of the project reports about a file. */
  async errorsOf(tool: string, file: string, text: string): Promise<string> {
    await writeFile(join(this.folder, file), text)
    const {code, output} = await this.#execute(join('node_modules', '.bin', tool), [])
    assert.notEqual(code, 0, output)
    return output
  }

  remove(): Promise<void> {
    return rm(this.folder, {recursive: true})
  }

  async #execute(command: string, args: readonly string[]) {
    const env = {...process.env, ...quiet}
    const {exited, output} = startProcess(command, args, {cwd: this.folder, env, group: true})
    return {code: await exited, output: output()}
  }
}

async function commandOf(manager: Manager): Promise<readonly string[]> {
  if (manager === 'npm') return ['npm']
  const tools = await installTools('test/package/tools.json')
  return [
    process.execPath,
    join(tools, manager === 'pnpm' ? 'pnpm/bin/pnpm.mjs' : '@yarnpkg/cli-dist/bin/yarn.js'),
  ]
}
