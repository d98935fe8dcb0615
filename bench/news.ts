/**
 * How long a customer waits until the page shows a payment, and the shop until `onPaid`, without any webhook:
 * `npm run bench news`. Six pages, each with a charge of its own, paid 2 to 100 seconds after the quote; then one page that was
 * in the background. `ENGINES=chromium,firefox,webkit`. The last row has no page: only `reconcileEvery` finds the payment.
 */
import {setTimeout} from 'node:timers/promises'
import {startPageShop} from '../test/e2e/page-shop.js'
import {selectedEngines, until, untilPhase, type EngineName, type EnginePage} from '../test/engines/engine.js'
import {launch} from '../test/engines/launch.js'

/** Seconds from the quote to the payment. */
const PAID_AFTER = [2, 10, 25, 45, 70, 100]
const LIMIT_MS = 4_000
const RECONCILE_MS = 10_000
const pair = {asset: '825', network: 'bsc'}

declare global {
  interface Window {
    paidAt?: number
  }
}

const onPaidAt = new Map<string, number>()
const shop = await startPageShop(
  {
    onPaid: ({chargeId}) => void onPaidAt.set(chargeId, Date.now()),
    reconcileEvery: RECONCILE_MS,
    rateLimit: false,
  },
  (_, url, res) =>
    res.writeHead(200, {'content-type': 'text/html'}).end(`<!doctype html><title>Pay</title>
      <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
      <crypto-checkout charge-id="${url.searchParams.get('charge')}" asset="825" network="bsc"></crypto-checkout>`),
)

const rows: Record<string, object> = {}
const {chargeId: withoutPage} = await shop.checkout.createOrder('order', {
  amount: '100',
  currency: 'USD',
  country: 'NG',
  customer: {name: 'A', phone: '+2340000000', email: 'a@shop.example'},
})
shop.sandbox.payElsewhere(withoutPage)
const reconciled = untilNotified(withoutPage)
const paidWithoutPage = Date.now()
for (const name of selectedEngines()) rows[name] = await measure(name)
rows['without a page'] = {'onPaid ms': String((await reconciled) - paidWithoutPage)}
await shop.close()
console.table(rows)

async function measure(name: EngineName): Promise<object> {
  const engine = await launch(name)
  try {
    const pages = await Promise.all(PAID_AFTER.map(() => openPage(engine.openPage())))
    const waits = await Promise.all(
      pages.map(async ({page, chargeId}, index) => {
        await setTimeout(1_000 * (PAID_AFTER[index] ?? 0))
        return news(page, chargeId)
      }),
    )
    const {page, chargeId} = await openPage(engine.openPage())
    await page.evaluate(setVisible, false)
    // A read that had begun has ended.
    await setTimeout(1_000)
    const back = await news(page, chargeId, async () => {
      await setTimeout(20_000)
      if (await page.evaluate(() => window.paidAt !== undefined)) throw new Error('a hidden page has read')
      await page.evaluate(setVisible, true)
    })
    if (waits.some(({page}) => page > LIMIT_MS) || back.page > 1_000) process.exitCode = 1
    return {
      'page ms': waits.map(({page}) => page).join(', '),
      'onPaid ms': waits.map(({handler}) => handler).join(', '),
      'brought back, ms': back.page,
    }
  } finally {
    await engine.close()
  }
}

async function openPage(opening: Promise<EnginePage>): Promise<{page: EnginePage; chargeId: string}> {
  const [page, chargeId] = [await opening, await shop.order()]
  await page.goto(`${shop.url}/?charge=${chargeId}`)
  await page.evaluate(() => {
    document.addEventListener('checkout-paid', () => (window.paidAt = Date.now()))
  })
  await untilPhase(page, 'paying')
  return {page, chargeId}
}

/** Milliseconds until the page shows the payment, and until `onPaid`. @param look what the customer does after paying */
async function news(
  page: EnginePage,
  chargeId: string,
  look?: () => Promise<void>,
): Promise<{page: number; handler: number}> {
  shop.sandbox.pay(chargeId, pair)
  let at = Date.now()
  if (look) {
    await look()
    at = Date.now()
  }
  await until(page, 'paid', () => window.paidAt !== undefined)
  const paidAt = await page.evaluate(() => window.paidAt ?? NaN)
  return {page: paidAt - at, handler: (await untilNotified(chargeId)) - at}
}

async function untilNotified(chargeId: string): Promise<number> {
  for (;;) {
    const at = onPaidAt.get(chargeId)
    if (at !== undefined) return at
    await setTimeout(10)
  }
}

/** Runs in the page. Not every engine can put a page into the background. */
function setVisible(isVisible: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    value: isVisible ? 'visible' : 'hidden',
  })
  document.dispatchEvent(new Event('visibilitychange'))
}
