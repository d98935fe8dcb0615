/** The mounts of `docs/mounting.md` in TypeScript: the types of each framework accept the proxy without a cast. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, Server} from 'node:http'
import {after, test} from 'node:test'
import {serve as serveHono} from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import {Hono} from 'hono'
import {cloneRawRequest} from 'hono/request'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {closeServer, portOf} from './loopback.js'

const checkout = createCheckout({
  apiKey: 'TEST;PK;typed',
  baseUrl: 'http://127.0.0.1:9',
  store: memoryStore(),
})

after(() => checkout.close())

const loopback = {port: 0, host: '127.0.0.1'}

const mounts: Readonly<Record<string, () => Server | Promise<Server>>> = {
  'node:http': () =>
    createServer((req, res) => {
      void checkout.node(req, res, () => res.end())
    }).listen(loopback),
  'Express 5': () => express().use(checkout.node).listen(0, loopback.host),
  async 'Fastify 5'() {
    const app = Fastify()
    app.all('/crypto-checkout/*', (request, reply) => {
      reply.hijack()
      return checkout.node(request.raw, reply.raw)
    })
    await app.listen(loopback)
    return app.server
  },
  Hono() {
    const app = new Hono()
    app.all('/crypto-checkout/*', async c => checkout.fetch(await cloneRawRequest(c.req)))
    const options = {fetch: app.fetch, port: 0, hostname: loopback.host, overrideGlobalObjects: false}
    const server = serveHono(options)
    assert(server instanceof Server)
    return server
  },
  Koa() {
    const app = new Koa()
    app.use(bodyParser())
    app.use(async ctx => {
      ctx.respond = false
      Object.assign(ctx.req, {body: ctx.request.body})
      await checkout.node(ctx.req, ctx.res)
    })
    return app.listen(loopback)
  },
}

for (const [name, mount] of Object.entries(mounts))
  test(`${name} accepts the proxy without a cast`, async t => {
    const server = await mount()
    t.after(() => closeServer(server))
    if (!server.listening) await once(server, 'listening')
    const response = await fetch(`http://127.0.0.1:${portOf(server)}/crypto-checkout/health`)
    assert.equal(await response.text(), '{"ok":true}')
  })
