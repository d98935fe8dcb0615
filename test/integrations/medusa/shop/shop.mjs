/** A Medusa server with an empty Postgres at DATABASE_URL, which gets a region, a product and a key for its Store API. */
import {execFileSync} from 'node:child_process'
import framework from '@medusajs/framework'
import flows from '@medusajs/medusa/core-flows'
import command from '@medusajs/medusa/commands/start'

const migrate = ['node_modules/@medusajs/cli/cli.js', 'db:migrate', '--skip-scripts']
execFileSync(process.execPath, migrate, {stdio: ['ignore', 'ignore', 'inherit']})
await command.default({
  directory: process.cwd(),
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  types: false,
})

const run = async (workflow, input) => (await flows[workflow](framework.container).run({input})).result
const [channel] = await run('createSalesChannelsWorkflow', {salesChannelsData: [{name: 'Web'}]})
const [key] = await run('createApiKeysWorkflow', {
  api_keys: [{title: 'Web', type: 'publishable', created_by: ''}],
})
await run('linkSalesChannelsToApiKeyWorkflow', {id: key.id, add: [channel.id]})
const payment_providers = ['pp_system_default', 'pp_crypto-checkout_crypto-checkout']
const [region] = await run('createRegionsWorkflow', {
  regions: [{name: 'Africa', currency_code: 'usd', countries: ['ng'], payment_providers}],
})
// Not rounded, as with a tax or a discount.
const prices = [{amount: 49.904, currency_code: 'usd'}]
const [product] = await run('createProductsWorkflow', {
  products: [
    {
      title: 'Lamp',
      status: 'published',
      options: [{title: 'Size', values: ['One']}],
      variants: [{title: 'One', options: {Size: 'One'}, manage_inventory: false, prices}],
      sales_channels: [{id: channel.id}],
    },
  ],
})
globalThis.settings = {key: key.token, region_id: region.id, variant_id: product.variants[0].id}
console.log('started')
