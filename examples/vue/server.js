import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import {resolve} from 'node:path'
import {checkout, payPage, placeOrder} from './checkout.js'

const app = Fastify()
app.register(async scope => {
  // Fastify would parse the bodies.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, payload, done) => done(null))
  scope.all('/crypto-checkout/*', (request, reply) => {
    reply.hijack()
    return checkout.node(request.raw, reply.raw)
  })
})
app.post('/orders', async () => ({chargeId: await placeOrder()}))
app.get('/pay', async (request, reply) => {
  reply.type('text/html; charset=utf-8')
  return payPage(request.headers['accept-language'])
})
app.register(fastifyStatic, {root: resolve('public')})
const port = Number(process.env.PORT ?? 3000)
await app.listen({port})
console.log(`http://localhost:${port}`)
