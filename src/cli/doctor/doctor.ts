/** The command `npx crypto-checkout doctor`: checks a deployment before it goes live, and says what to do. */
import {newProbeId} from '../../server/api/doctor-report.js'
import {withoutTrailingSlash} from '../../server/base/option-parser.js'
import {CommandError, DEFAULT_STORE, parse, printable, runCommand, type Print} from '../command.js'
import type {Deployment} from './probe.js'
import {findings, type Finding} from './finding.js'
import {checkPage} from './page.js'
import {
  checkAllowedOrigins,
  checkAssets,
  checkMount,
  checkSameOrigin,
  checkSameStore,
  checkStoreOfProxy,
  checkTokens,
  checkTrustProxy,
  checkWebhook,
  readReport,
} from './proxy.js'
import {checkKey, checkService} from './service.js'
import {checkStore} from './store.js'

const usage = `usage: crypto-checkout doctor --url https://shop.example [options]

Checks a deployment: run it on the server, with the environment of the server. It creates no charge. It writes
one row of its own to the store.

  --url <url>          the public URL of the site, as customers and the payment service reach it
  --base-path <path>   where the proxy is mounted; default /crypto-checkout
  --store <store>      a folder, or a URL such as redis://… or postgres://…; default CHECKOUT_STORE, else .crypto-checkout
  --prefix <prefix>    the option of redisStore or sqlStore, if the shop sets it
  --page <url>         a page with <crypto-checkout>, to check its Content-Security-Policy
  --origin <origin>    another origin whose pages use the proxy; may be given several times
  --test               allows a test key
  --json               prints the findings as JSON

Environment: CHECKOUT_API_KEY, CHECKOUT_BASE_URL, CHECKOUT_TOKEN_SECRET, CHECKOUT_STORE.
The exit code is 1 if a check fails, else 0.`

const symbols = {ok: '✔', warning: '!', failure: '✖', skipped: '-'}

export function doctorCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {
      url: {type: 'string'},
      'base-path': {type: 'string', default: '/crypto-checkout'},
      store: {type: 'string', default: process.env['CHECKOUT_STORE'] ?? DEFAULT_STORE},
      prefix: {type: 'string'},
      page: {type: 'string'},
      origin: {type: 'string', multiple: true, default: []},
      test: {type: 'boolean', default: false},
      json: {type: 'boolean', default: false},
    })
    if (positionals.length > 0) throw new CommandError(`unknown argument: ${positionals.join(' ')}`)
    const found = await diagnose(
      {
        ...values,
        url: readUrl('--url', values.url),
        page: readUrl('--page', values.page),
        basePath: withoutTrailingSlash(values['base-path']),
      },
      process.env,
    )
    const failures = found.filter(({result}) => result === 'failure').length
    if (values.json) print(JSON.stringify({ok: failures === 0, findings: found}, null, 2))
    else {
      for (const finding of found) print(printable(formatFinding(finding)))
      for (const line of summary(found, failures)) print(line)
    }
    if (failures > 0) process.exitCode = 1
  })
}

interface DoctorOptions {
  readonly url: URL | undefined
  readonly basePath: string
  readonly store: string
  readonly prefix?: string | undefined
  readonly page: URL | undefined
  readonly origin: readonly string[]
  readonly test: boolean
}

async function diagnose(options: DoctorOptions, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const {url, basePath, page, origin, test} = options
  const apiKey = environment['CHECKOUT_API_KEY']
  const probeId = newProbeId()
  const found = [checkKey(apiKey, test)]
  if (apiKey) found.push(...(await checkService(apiKey, environment['CHECKOUT_BASE_URL'])))
  if (!url || !apiKey) {
    found.push(...(await checkStore(options, probeId, () => Promise.resolve([]))))
    if (!url) found.push(findings('proxy').skipped('no public URL', 'pass --url to check the running proxy'))
    return found
  }
  const deployment: Deployment = {apiKey, url, basePath}
  const running = async (isWritten: boolean) => checkRunning(deployment, probeId, isWritten)
  found.push(...(await checkStore(options, probeId, running)))
  if (page) found.push(...(await checkPage(page, deployment)))
  else found.push(findings('page').skipped('no page', 'pass --page to check its Content-Security-Policy'))
  return found

  async function checkRunning(
    deployment: Deployment,
    probeId: string,
    isWritten: boolean,
  ): Promise<Finding[]> {
    const mount = await checkMount(deployment)
    if (mount.result === 'failure') return [mount]
    const {report, finding} = await readReport(deployment, probeId)
    return [
      mount,
      finding,
      ...(report && isWritten ? [checkSameStore(report)] : []),
      ...(report ? [...checkStoreOfProxy(report), ...checkAssets(report)] : []),
      await checkSameOrigin(deployment),
      ...(await checkAllowedOrigins(deployment, originsOf(origin, page, deployment.url))),
      ...(await checkWebhook(deployment)),
      ...(report ? [checkTrustProxy(report)] : []),
      ...(report ? [await checkTokens(deployment, report, environment['CHECKOUT_TOKEN_SECRET'])] : []),
    ]
  }
}

/** The origin of the page needs to be listed when it is not the site's. */
function originsOf(origins: readonly string[], page: URL | undefined, site: URL): string[] {
  const isOther = page !== undefined && page.origin !== site.origin
  return [...new Set([...origins, ...(isOther ? [page.origin] : [])])]
}

function readUrl(option: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${option} must be a URL such as https://shop.example`)
  return url
}

function formatFinding({check, result, message, advice}: Finding): string {
  const line = `${symbols[result]} ${check.padEnd(14)} ${message}`
  return advice === undefined ? line : `${line} → ${advice}`
}

function summary(found: readonly Finding[], failures: number): string[] {
  const warnings = found.filter(({result}) => result === 'warning').length
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  return ['', `${count(failures, 'failure')}, ${count(warnings, 'warning')}`]
}
