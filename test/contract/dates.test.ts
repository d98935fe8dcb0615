import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseServiceDate} from '../../src/contract/index.js'

const moment = Date.UTC(2026, 10, 21, 1, 23, 45)

test('reads both forms in which the service writes a moment', () => {
  assert.equal(parseServiceDate('2026-11-21T01:23:45Z'), moment)
  assert.equal(parseServiceDate('2026-11-21T01:23:45.000Z'), moment)
  assert.equal(parseServiceDate('Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)'), moment)
  assert.equal(parseServiceDate('Sat Nov 21 2026 01:23:45 GMT+0000 (Greenwich Mean Time)'), moment)
})

test('honours the offset that is written, whatever the zone is called', () => {
  assert.equal(parseServiceDate('Sat Nov 21 2026 02:23:45 GMT+0100 (West Africa Standard Time)'), moment)
  assert.equal(parseServiceDate('2026-11-20T20:23:45-05:00'), moment)
})

test('answers null instead of guessing', () => {
  for (const text of [
    '',
    'soon',
    '2026-11-21',
    '2026-11-21T01:23:45',
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    'Nov 21 2026 01:23:45 GMT+0000',
    'Sat Nov 31 2026 01:23:45 GMT+0000 (Coordinated Universal Time)',
    '1795224225000',
  ])
    assert.equal(parseServiceDate(text), null, text)
})
