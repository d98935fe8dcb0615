/** A demo app in a folder of its own, with our package from the tarball and all others from the registry. */
import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {cp, readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {exitWithParent} from '../system/exit-with-parent.js'

/** Variables that keep tools from asking, and from reporting to their makers. */
export const quiet = {
  CI: '1',
  NG_CLI_ANALYTICS: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

export class Project {
  private constructor(readonly folder: string) {}

  static async install(app: string, folder: string, tarball: string): Promise<Project> {
    const project = new Project(folder)
    const isSource = (path: string) => !/\/(node_modules|\.next|\.wrangler)$/.test(path)
    await cp(join('demo', app), folder, {recursive: true, filter: isSource})
    const quietly = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline', '--silent']
    await project.run('npm', 'install', ...quietly, tarball)
    return project
  }

  async has(script: string): Promise<boolean> {
    const {scripts} = JSON.parse(await readFile(join(this.folder, 'package.json'), 'utf8'))
    return script in scripts
  }

  /** Resolves to the output. */
  async run(command: string, ...args: string[]): Promise<string> {
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
    const child = spawn(command, args, {
      cwd: this.folder,
      env: {...process.env, ...quiet},
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    exitWithParent(child, {group: true})
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = (await once(child, 'close')) as [number | null]
    return {code, output}
  }
}
