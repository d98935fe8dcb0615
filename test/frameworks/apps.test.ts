/**
 * The projects of examples/, as a reader starts them: copied, installed with the packed tarball, built, started by their own
 * scripts, and paid in. Needs the registry and some minutes.
 */
import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {after, describe, it} from 'node:test'
import {installTools, pack, temporaryFolder} from '../package/project.js'
import {startService} from '../runtimes/flow.js'
import {startShop, type RunningShop} from '../runtimes/shops.js'
import {freePort} from '../system/free-port.js'
import {json, post} from '../system/json.js'
import {skipUnlessCi, skipWithout} from '../system/programs.js'
import {payIn, type Due} from './customer.js'
import {addPolicy} from './policy.js'
import {Project, quiet, type Edit, type Manager} from './project.js'

const folder = temporaryFolder()
const {tarball} = await pack(folder)
const nodeFolder = join(await installTools('test/runtimes/tools.json').catch(() => ''), 'node-24/bin')

/** Removing 50,000 files takes time, so the next project does not wait for it. */
const removals: Promise<void>[] = []

after(async () => {
  await Promise.all(removals)
})

interface Stack {
  readonly example: string
  readonly name: string
  readonly manager?: Manager
  /** Texts of its files, and what replaces them. */
  readonly edits?: readonly Edit[]
  /** Where the site begins. */
  readonly path?: string
  /** The policies for Trusted Types that its page needs. Default: the server renders the page, without a strict policy. */
  readonly trustedTypes?: string
  /** Checks what its compiler rejects, or what its server renders. */
  readonly check?: (project: Project, shop: RunningShop) => Promise<void>
}

const stacks: readonly Stack[] = [
  {example: 'next', name: 'Next.js'},
  {
    example: 'next',
    name: 'Next.js with trailingSlash and basePath',
    path: '/shop',
    edits: [
      [
        'next.config.ts',
        'cacheComponents: true',
        "cacheComponents: true, trailingSlash: true, basePath: '/shop'",
      ],
      ['checkout.ts', 'renderer,\n    //', "renderer,\n    basePath: '/shop/crypto-checkout',\n    //"],
      ['app/page.tsx', 'action="/pay"', 'action="/shop/pay"'],
    ],
  },
  {example: 'angular', name: 'Angular and Express', trustedTypes: 'lit-html angular'},
  {example: 'react', name: 'React and Hono', trustedTypes: 'lit-html'},
  {example: 'vue', name: 'Vue and Fastify', trustedTypes: 'lit-html vue', check: checkVue},
  {
    example: 'svelte',
    name: 'Svelte and Koa',
    trustedTypes: 'lit-html svelte-trusted-html',
    check: checkSvelte,
  },
  {example: 'html', name: 'plain HTML and Express'},
  {example: 'html', name: 'plain HTML and Express, installed by pnpm', manager: 'pnpm'},
  {example: 'html', name: 'plain HTML and Express, installed by Yarn with Plug’n’Play', manager: 'yarn'},
]

describe('a copy of the project leads to a paid order:', {concurrency: 2}, () => {
  for (const stack of stacks)
    it(stack.name, {skip: skipWithout('chromium')}, async t => {
      const {example, name, manager, edits, path, trustedTypes, check} = stack
      const project = await Project.install(example, join(folder, name), tarball, {manager, edits})
      const service = await startService()
      t.after(() => service.close())
      if (await project.has('build')) await project.run('npm', 'run', 'build')
      const host = example === 'next' ? ['--', '--hostname', '127.0.0.1'] : []
      const env = {...quiet, ...service.env}
      const shop = await startShop([...project.manager, 'start', ...host], project.folder, env, {path})
      t.after(() => shop.stop())
      await checkRenderedPage(shop)
      if (example !== 'next' && (await project.has('dev'))) await checkDevelopmentServer(project, shop)

      service.sandbox.webhookUrl = `${shop.url}/crypto-checkout/webhook${path ? '/' : ''}`
      const page = trustedTypes === undefined ? undefined : await addPolicy(shop.url, trustedTypes)
      t.after(() => page?.close())
      const pay = async ({chargeId, quote: {asset, network, amount, address}}: Due) =>
        service.sandbox.pay(chargeId, {asset, network, amount, address})
      await payIn(page?.url ?? shop.url, {pay, hasThanks: trustedTypes !== undefined})
      await shop.printed('order-7 is paid: ship it')
      await check?.(project, shop)
      assert.doesNotMatch(shop.output(), /error|limits by address are off/i)
      removals.push(project.remove())
    })

  const skip = existsSync(nodeFolder)
    ? false
    : skipUnlessCi('npm could not install Node 24, which wrangler needs')
  it('Workers, in wrangler', {skip}, async t => {
    const project = await Project.install('workers', join(folder, 'workers'), tarball)
    const service = await startService()
    t.after(() => service.close())
    const port = String(await freePort())
    const options = ['--port', port, '--var', `CHECKOUT_BASE_URL:${service.env.CHECKOUT_BASE_URL}`]
    const env = {...quiet, PATH: `${nodeFolder}:${process.env['PATH']}`}
    const shop = await startShop(['npm', 'start', '--', ...options], project.folder, env, {port})
    t.after(() => shop.stop())
    service.sandbox.webhookUrl = `${shop.url}/crypto-checkout/webhook`
    const page = await (await fetch(shop.url)).text()
    await service.openAndPay(shop, / charge-id="(\w+)"/.exec(page)?.[1])
    await shop.printed('order-7 is paid: ship it')
    removals.push(project.remove())
  })
})

/** The server of each project renders a page with the list of coins, in the customer's language. */
async function checkRenderedPage({url}: RunningShop): Promise<void> {
  const page = await fetch(`${url}/pay`, {headers: {'accept-language': 'de'}})
  assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/i)
  const html = await page.text()
  assert.match(html, /<div part="base" lang="de"/)
  assert.match(html, /data-asset="825"/)
}

/** The development server of a page passes on what belongs to the shop's server, and the host that the browser knows. */
async function checkDevelopmentServer(project: Project, shop: RunningShop): Promise<void> {
  const port = String(await freePort())
  const command = ['npm', 'run', 'dev', '--', '--host', '127.0.0.1', '--port', port]
  const {url, stop} = await startShop(
    command,
    project.folder,
    {...quiet, PORT: new URL(shop.url).port},
    {port},
  )
  const send = <Body>(path: string) => json<Body>(post(`${url}${path}`, {}, {origin: url}))
  const {chargeId} = await send<{chargeId: string}>('/orders')
  await send(`/crypto-checkout/charges/${chargeId}`)
  await stop()
}

const wrongTags = [
  ['theme="pink"', /"pink\\?"' is not assignable/],
  ['charge-id={7}', /'number' is not assignable to type 'string'/],
  ['oncheckout-paid={event => event.detail.nothing}', /'nothing' does not exist/],
] as const

async function checkVue(project: Project): Promise<void> {
  const errors = await project.errorsOf(
    'vue-tsc',
    'src/Wrong.vue',
    `<template>
      <crypto-checkout charge-id="c1" theme="pink" />
      <crypto-checkout :charge-id="7" />
      <crypto-checkout @checkout-paid="event => event.detail.nothing" />
    </template>`,
  )
  for (const [, pattern] of wrongTags) assert.match(errors, pattern)
}

async function checkSvelte(project: Project): Promise<void> {
  const tags = wrongTags.map(([attribute]) => `<crypto-checkout ${attribute}></crypto-checkout>`)
  const text = ['<script lang="ts"></script>', ...tags].join('\n')
  const errors = await project.errorsOf('svelte-check', 'src/Wrong.svelte', text)
  for (const [, pattern] of wrongTags) assert.match(errors, pattern)
}
