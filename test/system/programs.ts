/**
 * Programs that some tests need. Each is found, or installed with apt-get where this process is root on Debian.
 * Otherwise the tests that need it are skipped, except in CI.
 */
import {spawnSync} from 'node:child_process'
import {accessSync, constants, existsSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join, resolve} from 'node:path'

interface Program {
  /** Names on PATH, or absolute paths. */
  readonly commands: readonly string[]
  readonly debianPackage: string
  /** Debian 12 has it among its backports only. */
  readonly isBackport?: boolean
  /** The environment variable that names another file. */
  readonly variable?: string
}

const programs = {
  chromium: {
    commands: [
      // Without the windows of the browser itself, whose pages need as much time as ours.
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      'chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    ],
    debianPackage: 'chromium-headless-shell',
    variable: 'CHROME_PATH',
  },
  firefox: {
    commands: [
      'firefox-esr',
      'firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
    ],
    debianPackage: 'firefox-esr',
    variable: 'FIREFOX_PATH',
  },
  WebKitWebDriver: {commands: ['WebKitWebDriver'], debianPackage: 'webkit2gtk-driver'},
  Xvfb: {commands: ['Xvfb'], debianPackage: 'xvfb'},
  'redis-server': {commands: ['redis-server'], debianPackage: 'redis-server'},
  'valkey-server': {commands: ['valkey-server'], debianPackage: 'valkey-server', isBackport: true},
  postgres: {
    commands: ['postgres', ...[18, 17, 16, 15].map(version => `/usr/lib/postgresql/${version}/bin/postgres`)],
    debianPackage: 'postgresql',
  },
  mariadbd: {commands: ['mariadbd'], debianPackage: 'mariadb-server'},
  'mariadb-install-db': {commands: ['mariadb-install-db'], debianPackage: 'mariadb-server'},
  nginx: {commands: ['nginx'], debianPackage: 'nginx'},
  php: {commands: ['php'], debianPackage: 'php-cli'},
  python3: {commands: ['python3'], debianPackage: 'python3'},
  ruby: {commands: ['ruby'], debianPackage: 'ruby'},
  go: {commands: ['go'], debianPackage: 'golang'},
  zbarimg: {commands: ['zbarimg'], debianPackage: 'zbar-tools'},
  // Scripts of old shops, which no package registry has.
  Prototype: {commands: ['/usr/share/javascript/prototype/prototype.js'], debianPackage: 'libjs-prototype'},
  MooTools: {
    commands: ['/usr/share/javascript/mootools/mootools-core-nc.js'],
    debianPackage: 'libjs-mootools',
  },
} satisfies Record<string, Program>

export type ProgramName = keyof typeof programs

/** For the option `skip` of a test: what to install, or false when everything is there. */
export function skipWithout(...names: readonly ProgramName[]): string | false {
  const missing = names
    .filter(name => !findOrInstall(programs[name]))
    .map(name => programs[name].debianPackage)
  if (missing.length === 0) return false
  return skipUnlessCi(`install ${missing.join(' and ')} to run these tests`)
}

/** @throws in CI, which must skip nothing */
export function skipUnlessCi(reason: string): string {
  if (['1', 'true'].includes(process.env['CI'] ?? '')) throw new Error(reason)
  return reason
}

/** @returns the path of a program */
export function requireProgram(name: ProgramName): string {
  const path = findOrInstall(programs[name])
  if (path === undefined) throw new Error(`install ${programs[name].debianPackage}`)
  return path
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

function findOrInstall(program: Program): string | undefined {
  return find(program) ?? (install(program) ? find(program) : undefined)
}

function find({commands, variable}: Program): string | undefined {
  const chosen = variable && process.env[variable]
  if (chosen) return chosen
  // Servers are in sbin, which is not on the PATH of an ordinary user.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
  return commands.flatMap(command => folders.map(folder => resolve(folder, command))).find(isUsable)
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, path.endsWith('.js') ? constants.R_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}

const attempted = new Set<string>()

function install({debianPackage, isBackport = false}: Program): boolean {
  if (!isRoot() || !existsSync('/etc/debian_version') || attempted.has(debianPackage)) return false
  attempted.add(debianPackage)
  console.error(`installing ${debianPackage} with apt-get`)
  // Test files run in parallel, but apt-get must not. Old package lists name versions that the server no
  // longer has, or a Firefox that Puppeteer no longer supports.
  const command = `get() { apt-get -qq -o DPkg::Lock::Timeout=600 $SOURCES "$@"; }
    install() { get install -y --no-install-recommends ${debianPackage}; }
    get update; install ${isBackport ? `|| { ${ADD_BACKPORTS} && get update && install; }` : ''}`
  const {status} = spawnSync('flock', [join(tmpdir(), 'crypto-checkout-apt.lock'), 'sh', '-c', command], {
    stdio: 'ignore',
    env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'},
  })
  return status === 0
}

/** For this command only: the machine's list of sources, and the backports of the server that it has Debian from. */
const ADD_BACKPORTS = `LIST=$(mktemp) && chmod 644 $LIST && SOURCES="-o Dir::Etc::SourceList=$LIST" &&
  { cat /etc/apt/sources.list || true; apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME)-backports main' \
    'Created-By: Packages' 'Label: Debian' 'Component: main' | grep -v -e '-updates-' -e '-backports-'; } > $LIST`
