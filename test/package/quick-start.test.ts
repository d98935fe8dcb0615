/** The shop of the README, in a project that has the packed package. Build first. */
import assert from 'node:assert/strict'
import {readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {test} from 'node:test'
import {launchChromium} from '../engines/puppeteer.js'
import {startService} from '../runtimes/flow.js'
import {startShop} from '../runtimes/shops.js'
import {skipWithout} from '../system/programs.js'
import {install, pack, temporaryFolder} from './project.js'

const code = /^```js\n(import express[^]*?)^```$/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''

test('the quick start has at most 30 lines of code', () => {
  assert.ok(code.includes('createOrder') && code.trim().split('\n').length <= 30)
})

test(
  'the quick start leads to one paid order, however often its page is loaded',
  {skip: skipWithout('chromium')},
  async t => {
    const project = temporaryFolder()
    await install((await pack(project)).tarball, project)
    symlinkSync(resolve('node_modules/express'), join(project, 'node_modules/express'), 'junction')
    writeFileSync(join(project, 'shop.mjs'), code.replace('3000', "Number(process.env.PORT), '127.0.0.1'"))
    const service = await startService()
    t.after(() => service.close())
    const {sandbox} = service
    const startedAt = performance.now()
    const shop = await startShop([process.execPath, 'shop.mjs'], project, service.env)
    t.after(() => shop.stop())
    sandbox.webhookUrl = `${shop.url}/crypto-checkout/webhook`

    const browser = await launchChromium()
    t.after(() => browser.close())
    const page = await browser.newPage()
    for (let view = 1; view <= 2; view++) await page.goto(shop.url)
    for (const control of ['[data-asset="825"]', '[data-network="bsc"]'])
      await page.locator(`crypto-checkout >>> ${control}`).click()
    await page.waitForSelector('crypto-checkout[phase=paying]')
    const [charge] = sandbox.charges
    sandbox.pay(charge!.id, {asset: 'USDT', network: 'bsc'})
    await page.waitForSelector('crypto-checkout[phase=paid]')
    await shop.printed('order-7 is paid: ship it')
    t.diagnostic(
      `${((performance.now() - startedAt) / 1000).toFixed(1)} s from the start of the shop to paid`,
    )
    await page.reload()
    await page.waitForSelector('crypto-checkout[phase=paid]')
    assert.equal(sandbox.charges.length, 1)
  },
)
