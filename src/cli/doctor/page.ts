/** The Content-Security-Policy of the page, compared with what docs/content-security-policy.md needs. */
import {describe, send, type Deployment} from './probe.js'
import {findings, type Finding} from './finding.js'

const {ok, warning, failure} = findings('page')

type Policy = ReadonlyMap<string, readonly string[]>

export async function checkPage(pageUrl: URL, {url: site, basePath}: Deployment): Promise<Finding[]> {
  const reply = await send(pageUrl, {headers: {accept: 'text/html'}})
  if (typeof reply === 'string' || reply.status !== 200)
    return [
      failure(
        `${withoutQuery(pageUrl)} gets ${describe(reply)}`,
        'pass the URL of a page that needs no login',
      ),
    ]
  const {text, headers} = reply
  const hasLogos = /<crypto-checkout\b[^>]*\slogos\s*=\s*["']?remote\b/i.test(text)
  if (!/<crypto-checkout[\s>]/i.test(text))
    return [
      warning('the HTML has no <crypto-checkout>', 'if a script adds it, only the policy is checked'),
      ...policyFindings(),
    ]
  return policyFindings()

  function policyFindings(): Finding[] {
    const policies = [headers.get('content-security-policy') ?? '', ...metaPolicies(text)]
      .flatMap(each => each.split(','))
      .filter(each => each.trim() !== '')
      .map(parsePolicy)
    if (policies.length === 0)
      return [
        warning(
          'no Content-Security-Policy: a foreign script could show another address',
          'send the policy of docs/content-security-policy.md',
        ),
      ]
    const found = policies.flatMap(policy => checkPolicy(policy, scriptUrls(text, pageUrl)))
    return found.length > 0 ? found : [ok('its policy allows the checkout, and no inline script')]
  }

  function checkPolicy(policy: Policy, scripts: readonly URL[]): Finding[] {
    const found: Finding[] = []
    const scriptSources = sourcesOf(policy, 'script-src-elem', 'script-src', 'default-src')
    for (const script of scripts)
      if (!allows(scriptSources, script, pageUrl))
        found.push(
          failure(
            `script-src blocks ${withoutQuery(script)}`,
            `add ${sourceFor(script, pageUrl)} to script-src`,
          ),
        )
    const proxy = new URL(basePath, site)
    if (!allows(sourcesOf(policy, 'connect-src', 'default-src'), proxy, pageUrl))
      found.push(failure('connect-src blocks the proxy', `add ${sourceFor(proxy, pageUrl)} to connect-src`))
    const hasNonceOrHash = scriptSources?.some(source => /^'(nonce|sha\d{3})-/.test(source)) ?? false
    if (scriptSources?.includes("'unsafe-inline'") && !hasNonceOrHash)
      found.push(warning("script-src has 'unsafe-inline'", 'remove it: the checkout does not need it'))
    if (scriptSources?.some(source => ['*', 'https:', 'http:'].includes(source)))
      found.push(warning('script-src allows scripts of any site', "list the hosts, or use 'self'"))
    if (!scriptSources) found.push(warning('the policy does not limit scripts', "add script-src 'self'"))
    if (policy.has('require-trusted-types-for') && !allowsTrustedTypes(policy.get('trusted-types')))
      found.push(failure('trusted-types blocks the policy lit-html', 'add lit-html to trusted-types'))
    if (
      hasLogos &&
      !allows(sourcesOf(policy, 'img-src', 'default-src'), new URL('https://logos.invalid/'), pageUrl)
    )
      found.push(
        warning(
          'img-src blocks the logos of coins on other hosts',
          'add https: to img-src, or use logos="bundled"',
        ),
      )
    return found
  }
}

/** Absolute URLs of the module scripts of the page. */
function scriptUrls(html: string, page: URL): URL[] {
  return [...html.matchAll(/<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi)].flatMap(([, src = '']) =>
    URL.canParse(src, page) ? new URL(src, page) : [],
  )
}

function metaPolicies(html: string): string[] {
  return [...html.matchAll(/<meta\b[^>]*http-equiv\s*=\s*["']?content-security-policy["']?[^>]*>/gi)].flatMap(
    ([tag]) => /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? [],
  )
}

/** The first of two equal directives counts (CSP level 3, section 2.2.1). */
function parsePolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>()
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (name !== '' && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources)
  }
  return policy
}

/** Undefined: no limit. */
function sourcesOf(policy: Policy, ...names: readonly string[]): readonly string[] | undefined {
  const name = names.find(each => policy.has(each))
  return name === undefined ? undefined : policy.get(name)
}

function allows(sources: readonly string[] | undefined, url: URL, page: URL): boolean {
  if (!sources) return true
  // Then only scripts with a nonce, and what they load, count; the HTML does not show which ones have it.
  if (sources.includes("'strict-dynamic'")) return true
  return sources.some(source => matches(source.toLowerCase(), url, page))
}

function matches(source: string, url: URL, page: URL): boolean {
  if (source === "'self'") return url.origin === page.origin
  if (source === '*') return /^https?:$/.test(url.protocol)
  if (/^[a-z][a-z0-9+.-]*:$/.test(source))
    return url.protocol === source || (source === 'http:' && url.protocol === 'https:')
  const [, scheme, host = '', port, path = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9.-]+)(?::(\d+|\*))?(\/.*)?$/.exec(source) ?? []
  if (host === '') return false
  const isHost = host.startsWith('*.')
    ? url.hostname.endsWith(host.slice(1))
    : host === '*' || url.hostname === host
  const isScheme =
    scheme === undefined
      ? true
      : url.protocol === `${scheme}:` || (scheme === 'http' && url.protocol === 'https:')
  const isPort = port === '*' || (port ?? '') === url.port || port === defaultPort(url)
  const isPath =
    path === '' ||
    path === '/' ||
    (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)
  return isHost && isScheme && isPort && isPath
}

function defaultPort({protocol, port}: URL): string | undefined {
  if (port !== '') return port
  return protocol === 'https:' ? '443' : '80'
}

function allowsTrustedTypes(names: readonly string[] | undefined): boolean {
  return names === undefined || names.includes('*') || names.includes('lit-html')
}

function sourceFor(url: URL, page: URL): string {
  return url.origin === page.origin ? "'self'" : url.origin
}

function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`
}
