import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {createSandboxCore} from '../../src/sandbox/sandbox.js'
import {serve} from '../http/loopback.js'
import {createClient, openFixture, overHttp} from './fixture.js'

describe('the clock of the sandbox', () => {
  it('shortens pending sleeps when it is advanced', async () => {
    const {sandbox, clock} = await openFixture()
    const done: string[] = []
    const start = sandbox.clock.now()
    void sandbox.clock.sleep(1_000).then(() => done.push('short'))
    void sandbox.clock.sleep(10_000).then(() => done.push('long'))
    sandbox.moveClock(4_000)
    await clock.advance(0)
    assert.equal(sandbox.clock.now() - start, 4_000)
    assert.deepEqual(done, ['short'])
    await clock.advance(5_999)
    assert.deepEqual(done, ['short'])
    await clock.advance(1)
    assert.deepEqual(done, ['short', 'long'])
    assert.equal(clock.sleepers, 0)
  })
})

describe('the sandbox', () => {
  it('generates the same ids and addresses from the same random numbers', async () => {
    const [first, second, other] = await Promise.all(
      [0.5, 0.5, 0.25].map(value => openFixture({random: () => value})),
    )
    assert.deepEqual(first?.sandbox.charges, second?.sandbox.charges)
    assert.notEqual(other?.chargeId, first?.chargeId)
  })

  it('accepts only test keys', () => {
    for (const apiKey of ['LIVE;PK;secret', 'TEST;SK;secret', '', 'secret'])
      assert.throws(
        () => createSandbox({apiKey}),
        (error: Error) => error.message.includes('TEST;PK;') && !error.message.includes('secret'),
      )
    assert.equal(createSandbox({apiKey: 'TEST;PK;mine'}).apiKey, 'TEST;PK;mine')
  })

  it('does not start in production', () => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    try {
      assert.throws(() => createSandbox(), /NODE_ENV is production/)
      assert.throws(() => createSandboxCore(), /NODE_ENV is production/)
    } finally {
      if (before === undefined) delete process.env['NODE_ENV']
      else process.env['NODE_ENV'] = before
    }
  })

  it('can be mounted in a server, which keeps its own paths', async t => {
    const sandbox = createSandbox()
    const port = await serve(t, (req, res) => void sandbox.node(req, res, () => res.end('the shop')))
    const url = `http://127.0.0.1:${port}`
    assert.equal(await (await fetch(`${url}/`)).text(), 'the shop')
    assert.equal((await createClient(sandbox, overHttp, url).createCharge()).status, 200)
  })
})
