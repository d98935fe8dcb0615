/**
 * The recipes of docs/monitoring.md, with the real packages, the real proxy and the sandbox. `UPDATE=1` writes the metrics
 * on the page again.
 */
import assert from 'node:assert/strict'
import {readFileSync, writeFileSync} from 'node:fs'
import {test} from 'node:test'
import {context, SpanStatusCode, trace} from '@opentelemetry/api'
import {AsyncLocalStorageContextManager} from '@opentelemetry/context-async-hooks'
import {BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor} from '@opentelemetry/sdk-trace-base'
import {Registry} from 'prom-client'
import {collectMetrics} from '../../examples/metrics.js'
import {collectMetrics as collectMetricsOfServe} from '../../src/cli/serve/metrics.js'
import {traceCheckout} from '../../examples/tracing.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {createCheckout, memoryStore} from '../../src/node/index.js'
import {FakeClock} from '../fake-clock.js'
import {order} from '../server/order.js'
import {passWhile} from '../server/orders/shop.js'

const page = 'docs/monitoring.md'
const usdt = {asset: '825', network: 'bsc'}

const exporter = new InMemorySpanExporter()
const spanProcessors = [new SimpleSpanProcessor(exporter)]
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(new BasicTracerProvider({spanProcessors}))
traceCheckout()
const registry = new Registry()
collectMetrics(registry)
const registryOfServe = new Registry()
collectMetricsOfServe(registryOfServe)

let attempts = 0
// It moves only while a request waits, however long the tests of other files take meanwhile.
const clock = new FakeClock()
const sandbox = createSandboxCore({clock})
const checkout = createCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: sandbox.baseUrl,
  transport: sandbox.transport,
  store: memoryStore(),
  clock,
  logger: {info() {}, warn() {}, error() {}},
  rateLimit: {quotesPerCharge: 2},
  onPaid() {},
  onPayment: () => {
    if (++attempts === 1) throw new Error('the database is down')
  },
})

await notifyOf(await pay())
const second = await pay()
exporter.reset()
await notifyOf(second)
const finished = exporter.getFinishedSpans()
const root = finished.find(({name}) => name === 'POST /webhook')
// What the requests before have begun may end meanwhile.
const webhookTrace = finished.filter(span => span.spanContext().traceId === root?.spanContext().traceId)
// Already paid, and then over the limit.
await post(`/charges/${second}/quote`, usdt)
await post(`/charges/${second}/quote`, usdt)
const metrics = await registry.metrics()
const metricsOfServe = await registryOfServe.metrics()
await checkout.close()

async function pay(): Promise<string> {
  const {_id: chargeId} = await checkout.service.createCharge(order())
  await post(`/charges/${chargeId}`)
  await post(`/charges/${chargeId}/quote`, usdt)
  sandbox.pay(chargeId, usdt)
  return chargeId
}

/** The first handler fails, so the first webhook does too. */
async function notifyOf(chargeId: string): Promise<void> {
  await post('/webhook', {chargeId})
}

function post(path: string, body: object = {}): Promise<Response> {
  const headers = {'content-type': 'application/json'}
  const url = `https://shop.example/crypto-checkout${path}`
  return trace.getTracer('http').startActiveSpan(`POST ${path}`, async span => {
    const request = new Request(url, {method: 'POST', headers, body: JSON.stringify(body)})
    const response = await passWhile(clock, checkout.fetch(request))
    span.end()
    return response
  })
}

test('the metrics count charges, handlers and problems of the shop', () => {
  for (const line of [
    'crypto_checkout_statuses_total{status="paid",asset="USDT",network="bsc",test="true"} 2',
    'crypto_checkout_handler_seconds_count{handler="onPaid",outcome="ok"} 2',
    'crypto_checkout_handler_seconds_count{handler="onPayment",outcome="handler_failed"} 1',
    'crypto_checkout_alerts_total{kind="address_mismatch"} 0',
    'crypto_checkout_limited_total{operation="quote"} 1',
  ])
    assert.ok(metrics.includes(`${line}\n`), line)
})

test('serve has the same metrics', () => {
  const values = (text: string) => text.replaceAll(/^# HELP .*$|(?<=_(sum|bucket)\{.*\} ).*$/gm, '')
  assert.equal(values(metricsOfServe), values(metrics))
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
      'store get',
      'store put',
    ],
  ])
  for (const {attributes} of children)
    assert.deepEqual(
      Object.keys(attributes).filter(name => name !== 'http.response.status_code'),
      [],
    )
  const failed = exporter.getFinishedSpans().filter(({status}) => status.code === SpanStatusCode.ERROR)
  for (const {attributes} of failed) assert.match(String(attributes['error.type']), /^[a-z_]+$/)
})
