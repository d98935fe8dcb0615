/** Installs the demo's apps with the packed tarball, builds them, and pays in each. Needs the registry and some minutes. */
import assert from 'node:assert/strict'
import {join} from 'node:path'
import {after, describe, it} from 'node:test'
import {pack, temporaryFolder} from '../package/project.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {Control} from '../e2e/control.js'
import {skipWithout} from '../system/programs.js'
import {payIn} from './customer.js'
import {serveNext} from './next.js'
import {Project} from './project.js'
import {serveApp} from './served.js'

const folder = temporaryFolder()
const {tarball} = await pack(folder)

/** Removing 50,000 files takes time, so the next app does not wait for it. */
const removals: Promise<void>[] = []

after(async () => {
  await Promise.all(removals)
})

interface App {
  readonly name: string
  readonly folder: string
  /** The policies for Trusted Types that its page needs. */
  readonly trustedTypes: string
  /** Checks that its compiler rejects wrong uses of the tag. */
  readonly check?: (project: Project) => Promise<void>
}

const apps: readonly App[] = [
  {name: 'Angular', folder: 'angular', trustedTypes: 'lit-html angular'},
  {name: 'React', folder: 'react', trustedTypes: 'lit-html'},
  {name: 'Vue', folder: 'vue', trustedTypes: 'lit-html vue', check: checkVue},
  {name: 'Svelte', folder: 'svelte', trustedTypes: 'lit-html svelte-trusted-html', check: checkSvelte},
  {name: 'plain HTML', folder: 'html', trustedTypes: 'lit-html'},
]

const skip = skipWithout('chromium')

describe('the app can be paid in, installed from the tarball', {concurrency: 2, skip}, () => {
  it('Next.js, which renders the page on the server and mounts the proxy as a route handler', async () => {
    const project = await Project.install('next', join(folder, 'next'), tarball)
    await project.run('npm', 'run', 'build')
    const sandbox = createSandbox()
    const service = await sandbox.listen()
    const next = await serveNext(project, {
      CHECKOUT_API_KEY: sandbox.apiKey,
      CHECKOUT_BASE_URL: service.url,
    })
    try {
      sandbox.webhookUrl = `${next.url}/crypto-checkout/webhook`
      const page = await fetch(`${next.url}/pay/c1`)
      assert.match(await page.text(), /<crypto-checkout charge-id="c1"><p>Loading the payment…<\/p>/)
      await payIn(next.url, async ({chargeId, quote: {asset, network, amount, address}}) =>
        sandbox.pay(chargeId, {asset, network, amount, address}),
      )
      assert.match(next.output(), /order-7 is paid: ship it/)
      assert.doesNotMatch(next.output(), /error/i)
    } finally {
      await next.close()
      await service.close()
      removals.push(project.remove())
    }
  })

  for (const {name, folder: app, trustedTypes, check} of apps)
    it(name, async () => {
      const project = await Project.install(app, join(folder, app), tarball)
      await project.run('npm', 'run', 'build')
      const served = await serveApp(join(project.folder, 'dist'), trustedTypes)
      try {
        await payIn(served.url, ({chargeId, quote: {asset, network, amount, address}}) =>
          new Control(served.url).pay(chargeId, {asset, network, amount, address}),
        )
        assert.match(served.shipped.join('\n'), /is paid: ship it/)
      } finally {
        await served.close()
      }
      await check?.(project)
      removals.push(project.remove())
    })
})

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
