/**
 * The recipes of docs/monitoring.md, with the real packages and a running shop of the demo. `UPDATE=1` writes the metrics
 * on the page again.
 */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import {context, SpanStatusCode, trace} from '@opentelemetry/api'
import {AsyncLocalStorageContextManager} from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import {Registry} from 'prom-client'
import {collectMetrics} from '../../demo/metrics.js'
import {Orders} from '../../demo/orders.js'
import {createShop} from '../../demo/routes.js'
import {traceCheckout} from '../../demo/tracing.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore} from '../../src/server/index.js'

const page = 'docs/monitoring.md'

const exporter = new InMemorySpanExporter()
let metrics = ''
let webhookTrace: ReadableSpan[] = []

before(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({spanProcessors: [new SimpleSpanProcessor(exporter)]}),
  )
  traceCheckout()
  const registry = new Registry()
  collectMetrics(registry)

  const folder = await mkdtemp(join(tmpdir(), 'monitoring-'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sandbox = createSandbox({webhookUrl: `${url}/crypto-checkout/webhook`})
  const service = await sandbox.listen()
  const orders = new Orders(() => undefined)
  let attempts = 0
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: service.url,
    store: fileStore(folder),
    logger: {info() {}, warn() {}, error() {}},
    rateLimit: {quotesPerCharge: 2},
    onPaid: (paid, {charge}) => orders.paid(paid, charge.ref_id),
    onPayment: () => {
      if (++attempts === 1) throw new Error('the database is down')
    },
  })
  const shop = createShop({
    url,
    checkout,
    orders,
    files: new Map(),
    sandbox: sandbox.node,
    metrics: () => registry.metrics(),
    log: () => undefined,
  })
  const tracer = trace.getTracer('http')
  server.on('request', (req, res) =>
    tracer.startActiveSpan(
      `${req.method ?? ''} ${(req.url ?? '').replace(/charges\/\w+/, 'charges/…')}`,
      span => {
        res.once('finish', () => span.end())
        shop(req, res)
      },
    ),
  )

  const post = async (path: string, body: object = {}) => {
    const headers = {'content-type': 'application/json'}
    const response = await fetch(url + path, {method: 'POST', headers, body: JSON.stringify(body)})
    return response.json()
  }
  const pay = async () => {
    const {chargeId} = await post('/orders')
    await post(`/crypto-checkout/charges/${chargeId}`)
    const {quote} = await post(`/crypto-checkout/charges/${chargeId}/quote`, {asset: '825', network: 'bsc'})
    sandbox.webhookUrl = undefined
    sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: quote.amount})
    return chargeId
  }
  const first = await pay()
  await post('/crypto-checkout/webhook', {chargeId: first})
  await post('/crypto-checkout/webhook', {chargeId: first})
  const second = await pay()
  exporter.reset()
  await post('/crypto-checkout/webhook', {chargeId: second})
  const finished = exporter.getFinishedSpans()
  const root = finished.find(({name}) => name === 'POST /crypto-checkout/webhook')
  // What the requests before have begun may end meanwhile.
  webhookTrace = finished.filter(span => span.spanContext().traceId === root?.spanContext().traceId)
  await post(`/crypto-checkout/charges/${second}/quote`, {asset: '825', network: 'bsc'})
  await post(`/crypto-checkout/charges/${second}/quote`, {asset: '825', network: 'bsc'})
  metrics = await (await fetch(`${url}/metrics`)).text()

  after(async () => {
    await checkout.close()
    server.closeAllConnections()
    server.close()
    await service.close()
    await rm(folder, {recursive: true})
  })
})

test('the metrics count charges, handlers and problems of the shop', () => {
  for (const line of [
    'crypto_checkout_statuses_total{status="open",asset="none",network="none",test="true"} 2',
    'crypto_checkout_statuses_total{status="paid",asset="USDT",network="bsc",test="true"} 2',
    'crypto_checkout_notify_seconds_count{handler="onPaid",outcome="ok"} 2',
    'crypto_checkout_notify_seconds_count{handler="onPayment",outcome="handler_failed"} 1',
    'crypto_checkout_service_seconds_count{operation="convert",status="200",outcome="ok"} 2',
    'crypto_checkout_alerts_total{kind="address_mismatch"} 0',
    'crypto_checkout_limited_total{operation="quote"} 1',
  ])
    assert.ok(metrics.includes(`${line}\n`), line)
  assert.match(metrics, /crypto_checkout_problems_total\{code="already_paid"\} 1/)
})

test('the page shows the metrics of a running shop', () => {
  const shown = metrics
    .split('\n')
    .filter(line => /^crypto_checkout_\w+_(total|count)\{/.test(line) && !line.endsWith(' 0'))
    .sort()
  const block = /(<!-- metrics -->\n\n```\n)([^]*?)(\n```)/
  const text = readFileSync(page, 'utf8')
  if (process.env['UPDATE'])
    writeFileSync(
      page,
      text.replace(block, (_, open: string, __, close: string) => open + shown.join('\n') + close),
    )
  const names = (lines: readonly string[]) => lines.map(line => line.replace(/ \S+$/, ''))
  assert.deepEqual(names(block.exec(text)?.[2]?.split('\n') ?? []), names(shown))
})

test('the dashboard and the alert rules use metrics and labels that exist', () => {
  const labelsOf = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of metrics.matchAll(/^(crypto_checkout_\w+)\{([^}]*)\}/gm))
    labelsOf.set(name, new Set([...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label)))
  const dashboard = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8'))
  const queries: string[] = [
    ...dashboard.panels.flatMap((panel: {targets: {expr: string}[]}) => panel.targets.map(({expr}) => expr)),
    ...[...readFileSync('docs/prometheus-alerts.yml', 'utf8').matchAll(/expr: (.*)/g)].map(
      ([, expr = '']) => expr,
    ),
  ]
  assert.equal(queries.length, 19)
  for (const query of queries) {
    const metricNames = [...query.matchAll(/crypto_checkout_\w+/g)].map(([name]) => name)
    assert.notEqual(metricNames.length, 0, query)
    for (const name of metricNames) assert.ok(labelsOf.has(name), `${name} in ${query}`)
    const used = [
      ...[...query.matchAll(/[{,](\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label),
      ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    ]
    for (const label of used)
      assert.ok(
        metricNames.some(name => labelsOf.get(name)?.has(label)),
        `${label} in ${query}`,
      )
  }
})

test('a trace has the calls of a webhook below its request, without ids, addresses and amounts', () => {
  const root = webhookTrace.find(({name}) => name === 'POST /crypto-checkout/webhook')
  assert.ok(root)
  const children = webhookTrace.filter(span => span !== root)
  for (const span of children)
    assert.equal(span.parentSpanContext?.spanId, root.spanContext().spanId, span.name)
  const names = new Set(children.map(({name}) => name))
  assert.deepEqual([...names].sort(), [
    ...[
      'handler onPaid',
      'handler onPayment',
      'service getCharge',
      'service getCryptoCharge',
      'store append',
      'store read',
    ],
  ])
  for (const {attributes} of children)
    assert.deepEqual(
      Object.keys(attributes).filter(name => name !== 'http.response.status_code'),
      [],
    )
})

test('a failed call has the code of its error', () => {
  const failed = exporter.getFinishedSpans().filter(({status}) => status.code === SpanStatusCode.ERROR)
  for (const {attributes} of failed) assert.match(String(attributes['error.type']), /^[a-z_]+$/)
})
