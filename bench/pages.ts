/**
 * What open pages cost, and how soon they show a payment: `npm run bench pages`. One process with the proxy, one with the service,
 * and here the pages, which read every two seconds, as in the first minutes after a quote, each a charge of its own.
 * `PAGES=100,1000,10000`. Some charges are paid meanwhile, half of them with a webhook.
 */
import {setTimeout} from 'node:timers/promises'
import {figuresOf, start, startService} from './processes.js'
import {load} from './load-client.js'
import {median} from './median.js'
import {idsOf} from './processes/template.js'

const counts = (process.env['PAGES'] ?? '100,1000,10000').split(',').map(Number)
const INTERVAL_MS = 2_000
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 20), 60)
/** Of those that are paid, with and without a webhook. */
const PAID = 10
/** Then the customer has given up. */
const LIMIT_MS = 300_000

const rows: Record<string, object> = {}
for (const count of counts) rows[`${count} pages`] = await measure(count)
console.table(rows)

async function measure(count: number): Promise<object> {
  const service = await startService()
  const {baseUrl, template} = service
  const filled = {template, charges: count}
  const proxy = await start('proxy', {apiKey: 'TEST;PK;pages', baseUrl, filled, rateLimit: false})
  const {port} = proxy.message
  const pathOf = (index: number) => `/crypto-checkout/charges/${idsOf(index).chargeId}`
  const paths = Array.from({length: count}, (_, index) => pathOf(index))
  const pages = {port, paths, connections: Math.min(count, 500), rate: (count * 1000) / INTERVAL_MS}
  try {
    // Each page asks once for everything, and until V8 has optimized the code.
    await load({...pages, duration: 2 * INTERVAL_MS})
    const cost = async () => {
      const [own, {upstreamReads}] = await Promise.all([figuresOf(proxy.child), figuresOf(service.child)])
      return {cpuMs: own.cpuMs, upstreamReads}
    }
    const before = await cost()
    const {requestsPerSecond, bytes, requests, p99, failed} = await load({...pages, duration: SECONDS * 1000})
    const after = await cost()
    // The pages go on while some of them wait for news.
    const end = new AbortController()
    const others = keepReading()
    const news = await Promise.all([false, true].map(hasWebhook => untilShown(hasWebhook)))
    end.abort()
    await others
    const [polled, reported] = news.map(times => (median(times) / 1000).toFixed(1))
    return {
      'requests/s': Math.round(requestsPerSecond),
      'bytes each': Math.round(bytes / requests),
      'CPU of a core, %': Math.round((after.cpuMs - before.cpuMs) / SECONDS / 10),
      'p99 ms': p99,
      failed,
      'calls of the service/s': Math.round((after.upstreamReads - before.upstreamReads) / SECONDS),
      'news s, no webhook': polled,
      'news s, webhook': reported,
    }

    async function keepReading(): Promise<void> {
      while (!end.signal.aborted) await load({...pages, duration: 2 * INTERVAL_MS})
    }

    /** Milliseconds until each of some pages shows its payment. */
    function untilShown(hasWebhook: boolean): Promise<number[]> {
      const first = hasWebhook ? 0 : PAID
      return Promise.all(Array.from({length: PAID}, (_, index) => untilPaid(first + index, hasWebhook)))
    }

    async function untilPaid(index: number, hasWebhook: boolean): Promise<number> {
      const {chargeId} = idsOf(index)
      // Payments arrive at any time.
      await setTimeout(Math.random() * INTERVAL_MS * 2)
      service.child.send({paid: index})
      const paidAt = performance.now()
      if (hasWebhook)
        void fetch(`http://127.0.0.1:${port}/crypto-checkout/webhook`, {
          method: 'POST',
          body: JSON.stringify({chargeId}),
        })
      await setTimeout(Math.random() * INTERVAL_MS)
      for (;;) {
        const response = await fetch(`http://127.0.0.1:${port}${pathOf(index)}`)
        const waitedMs = performance.now() - paidAt
        if ((await response.text()).includes('"status":"paid"') || waitedMs > LIMIT_MS) return waitedMs
        await setTimeout(INTERVAL_MS)
      }
    }
  } finally {
    service.child.kill()
    proxy.child.kill()
  }
}
