/** A disk that is full, as a process sees it: files can be made, and nothing can be written to them. */
import assert from 'node:assert/strict'
import {execFileSync, fork, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, test} from 'node:test'
import type {Checkout, Problem} from '../../../src/contract/index.js'
import {requireProgram, skipWithout} from '../../system/programs.js'

interface Answer {
  readonly status: number
  readonly json: Checkout & Pick<Problem, 'code'>
  readonly logged: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill()
  rmSync(folder, {recursive: true})
})

const skip = skipWithout('prlimit')

test('a full disk fails writes but loses nothing', {skip}, async () => {
  const child = fork('test/processes/filling-checkout.ts', [folder], {execArgv: ['--import', 'tsx']})
  children.push(child)
  const [[shown, other]] = (await once(child, 'message')) as [[string, string]]
  const ask = async (method: string, path: string, body: unknown = {}): Promise<Answer> => {
    child.send([method, path, body])
    const [answer] = (await once(child, 'message')) as [Answer]
    return answer
  }
  const room = (bytes: string) =>
    execFileSync(requireProgram('prlimit'), ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])

  await ask('POST', `/charges/${shown}`)
  const {json: before} = await ask('POST', `/charges/${shown}/quote`, {asset: '825', network: 'bsc'})
  assert.ok(before.quote)
  const files = readdirSync(folder, {recursive: true}).length

  room('0')
  for (let time = 1; time <= 3; time++) {
    const refused = await ask('POST', `/charges/${shown}/quote`, {asset: '1027', network: 'ethereum'})
    assert.equal(refused.status, 503)
    assert.equal(refused.json.code, 'store_unavailable')
    assert.match(refused.logged.join(), /StoreError/)
    assert.equal((await ask('POST', `/charges/${other}`)).status, 503)
  }
  const meanwhile = await ask('GET', `/charges/${shown}`)
  assert.deepEqual([meanwhile.status, meanwhile.json.quote], [200, before.quote])

  room('unlimited')
  const {json: again} = await ask('POST', `/charges/${shown}`)
  assert.deepEqual(again.quote, before.quote)
  assert.equal((await ask('POST', `/charges/${other}`)).json.status, 'open')
  const left = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  assert.ok(left.length > files)
  assert.deepEqual(
    left.filter(name => /(^|\/)\.[^/]+$/.test(name)),
    [],
    'no half-written file is left',
  )
})
