import assert from 'node:assert/strict'
import {test} from 'node:test'
import {extractChargeIds} from '../../../src/server/fulfilment/webhook-ids.js'

const inner = JSON.stringify({chargeId: 'c1'})

const bodies: [body: string, ids: string[]][] = [
  ['{"id":"c1"}', ['c1']],
  ['{"charge":"c1"}', ['c1']],
  ['{"a":[{"b":{"any-name":"c1"}}]}', ['c1']],
  ['["c1","c2"]', ['c1', 'c2']],
  ['"c1"', ['c1']],
  [JSON.stringify({data: inner}), ['c1']],
  [JSON.stringify({data: JSON.stringify({data: inner})}), ['c1']],
  [JSON.stringify({'': inner}), ['c1']],
  ['chargeId=c1', ['c1']],
  ['event=paid&charge%5Bid%5D=c1', ['paid', 'c1']],
  [`payload=${encodeURIComponent(inner)}`, ['c1']],
  [`payload=${inner}`, ['payload', 'chargeId', 'c1']],
  // What a form parser makes of JSON, and of a bare id.
  [JSON.stringify({[inner]: ''}), ['c1']],
  ['{"c1":""}', ['c1']],
  ['c1', ['c1']],
  [' c1\n', ['c1']],
  ['665f1c0a9d3e5b7a8c2f4d10', ['665f1c0a9d3e5b7a8c2f4d10']],
  ['charge c1 is paid.', ['charge', 'c1', 'is', 'paid']],
  ['paid: id=c1', ['paid', 'id', 'c1']],
  ['<charge id="c1"><key>c2</key></charge>', ['charge', 'id', 'c1', 'key', 'c2']],
  // The names of the specification first, then the order of appearance.
  ['{"status":"paid","z":{"_id":"c3"},"a":"c2","chargeId":"c1"}', ['c3', 'c1', 'paid', 'c2']],
  ['{"chargeId":["c1","c2"],"a":"b"}', ['c1', 'c2', 'b']],
  ['{"text":"charge c1 is paid","url":"https://a.example/c1","n":7,"x":null,"y":true}', []],
  ['{"id":"convert","b":"../c1","c":""}', ['c']],
  ['', []],
  ['{', []],
  ['null', ['null']],
]

test('any text in a body counts if it may be an id', () => {
  for (const [body, ids] of bodies) assert.deepEqual(extractChargeIds(body), ids, body)
})

test('an id in a field of the specification comes before other text', () => {
  for (const name of ['chargeId', 'charge_id', 'cryptoChargeId', '_id', 'chargeID'])
    assert.deepEqual(extractChargeIds(`{"status":"paid","${name}":"c1"}`), ['c1', 'paid'], name)
  assert.deepEqual(extractChargeIds('{"status":"paid","name":"c1"}'), ['paid', 'c1'])
})

test('at most 20,000 values are looked at', () => {
  // The body and its array count too.
  const idAfter = (zeros: number) => extractChargeIds(`[${'0,'.repeat(zeros)}"c1"]`)
  assert.deepEqual([idAfter(19_997), idAfter(19_998)], [['c1'], []])
  // Words that are no ids do not count.
  const long = 'x'.repeat(100)
  assert.deepEqual(extractChargeIds(`${`${long} `.repeat(20_000)} c1`), ['c1'])
})

test('text in text is parsed six times', () => {
  const nested = (times: number): string => (times === 0 ? 'c1' : JSON.stringify(nested(times - 1)))
  assert.deepEqual([extractChargeIds(nested(6)), extractChargeIds(nested(7))], [['c1'], []])
})

test('at most twenty candidates, those of the specification first', () => {
  const values = Array.from({length: 1_000}, (_, index) => `v${index}`)
  const ids = extractChargeIds(JSON.stringify({values, chargeId: 'c1'}))
  assert.deepEqual(ids, ['c1', ...values.slice(0, 19)])
})

test('a hostile body leads to at most one candidate', () => {
  const deep = `{"a":${'['.repeat(5_000)}"c1"${']'.repeat(5_000)}}`
  assert.deepEqual(extractChargeIds(deep), ['c1'])
  let nested = 'c1'
  while (nested.length < 8_000) nested = JSON.stringify(nested)
  for (const body of [
    nested,
    'a='.repeat(8_000),
    '='.repeat(16_000),
    '"'.repeat(16_000),
    '\\"'.repeat(8_000),
  ])
    assert.ok(extractChargeIds(body).length <= 1)
})
