/** The configuration of a shop that takes crypto and, as if it were cards, Medusa's own payment provider. */
const {defineConfig} = require('@medusajs/framework/utils')
const {createSandbox} = require('crypto-checkout/sandbox')
const {memoryStore} = require('crypto-checkout/server')

const sandbox = (globalThis.sandbox ??= createSandbox())
const {apiKey, baseUrl, transport, clock} = sandbox

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'test', cookieSecret: 'test'},
  },
  admin: {disable: true},
  plugins: [
    {resolve: 'crypto-checkout-medusa', options: {apiKey, baseUrl, transport, clock, store: memoryStore()}},
  ],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [{resolve: 'crypto-checkout-medusa/provider', id: 'crypto-checkout'}],
      },
    },
  ],
})
