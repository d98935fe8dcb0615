/** The script-tag build reads answers with a stand-in for zod. It has to take and refuse exactly what zod does. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {build} from 'esbuild'
import fc from 'fast-check'
import * as zods from '../../src/contract/checkout.js'
import * as problems from '../../src/contract/problem.js'
import {checkout, quote} from '../core/sample.js'

interface Reader {
  safeParse(input: unknown): {readonly success: boolean; readonly data?: unknown}
}

const {outputFiles} = await build({
  stdin: {
    contents: `export {checkoutSchema, wakeUpSchema} from './checkout.js'; export {problemSchema} from './problem.js'`,
    resolveDir: 'src/contract',
  },
  alias: {'zod/mini': './src/contract/zod-mini-browser.ts'},
  bundle: true,
  format: 'esm',
  write: false,
})
const inPage: Record<'checkoutSchema' | 'wakeUpSchema' | 'problemSchema', Reader> = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`
)

const pairs: readonly (readonly [name: string, zods: Reader, inPage: Reader, samples: readonly unknown[]])[] =
  [
    ['a checkout', zods.checkoutSchema, inPage.checkoutSchema, [full(), checkout()]],
    ['a wake-up', zods.wakeUpSchema, inPage.wakeUpSchema, [{rev: 7}]],
    [
      'a problem',
      problems.problemSchema,
      inPage.problemSchema,
      [{type: 'about:blank', title: 'No', status: 409, code: 'expired', requestId: 'r1', retryAfter: 2}],
    ],
  ]

for (const [name, expected, actual, samples] of pairs) {
  test(`takes ${name} as zod does`, () => {
    for (const sample of samples) {
      assert.equal(expected.safeParse(sample).success, true)
      agree(expected, actual, sample)
      agree(expected, actual, {...Object(sample), unknown: 1})
    }
  })

  test(`refuses what is not ${name} as zod does, whatever one place of it holds`, () => {
    const places = samples.flatMap(sample => pathsOf(sample).map(path => [sample, path] as const))
    fc.assert(
      fc.property(fc.constantFrom(...places), oddity(), ([sample, path], odd) => {
        agree(expected, actual, changed(sample, path, odd))
      }),
      {numRuns: 5_000},
    )
  })

  test(`reads any JSON in place of ${name} as zod does`, () => {
    fc.assert(fc.property(fc.json(), json => agree(expected, actual, JSON.parse(json))))
  })
}

function agree(expected: Reader, actual: Reader, input: unknown): void {
  const [a, b] = [expected.safeParse(input), actual.safeParse(input)]
  assert.deepEqual({success: b.success, data: b.data}, {success: a.success, data: a.data})
}

/** A checkout with every field that there is. */
function full() {
  return {
    ...checkout({status: 'underpaid'}),
    alert: 'address_mismatch',
    description: 'Order 7',
    redirectUrl: 'https://shop.example/thanks',
    quote: {...quote(), contract: '0x22', chainId: 56, baseUnits: '100', uri: 'ethereum:0x1', pegged: true},
    payments: [
      {
        transactionId: '0x1',
        network: 'bsc',
        status: 'CONFIRMED',
        confirmed: true,
        amount: '1.5',
        currency: 'USDT',
        local: {amount: '1.50', currency: 'USD'},
        at: '2026-11-21T01:23:45Z',
        url: 'https://bscscan.com/tx/0x1',
      },
    ],
  }
}

/** `ABSENT`: the place is not there at all. */
const ABSENT = Symbol()

function oddity(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(
      ABSENT,
      undefined,
      null,
      '',
      ' ',
      '\n',
      '1',
      '1.',
      '1.50',
      '-1',
      '1e9',
      0,
      1.5,
      NaN,
    ),
    fc.constantFrom<unknown>(
      Infinity,
      true,
      [],
      {},
      [null],
      '2026-11-21T01:23:45Z',
      '2026-11-21',
      'paid',
      'minutes',
    ),
    fc.string({unit: 'binary'}),
    fc.jsonValue(),
  )
}

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, held]) =>
    pathsOf(held, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...inner]
}

function changed(value: unknown, [key, ...rest]: Path, odd: unknown): unknown {
  if (key === undefined) return odd === ABSENT ? undefined : odd
  const copy = structuredClone(Object(value))
  if (rest.length === 0 && odd === ABSENT) delete copy[key]
  else copy[key] = changed(copy[key], rest, odd)
  return copy
}
