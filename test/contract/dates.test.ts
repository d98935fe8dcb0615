import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {parseServiceDate} from '../../src/contract/index.js'

const time = Date.UTC(2026, 10, 21, 1, 23, 45)

test('parses both formats of the service, and applies the offset whatever the name of its zone', () => {
  for (const [text, expected] of [
    ['2026-11-21T01:23:45Z', time],
    ['2026-11-21T01:23:45.1Z', time + 100],
    ['2026-11-21T01:23:45.123456789Z', time + 123],
    ['2026-11-20T20:23:45-05:00', time],
    ['2026-11-21T02:23:45+0100', time],
    ['2026-11-22T00:22:45+22:59', time],
    ['2026-11-22T00:23:45+23:00', time],
    ['2026-11-21T23:59:59Z', Date.UTC(2026, 10, 21, 23, 59, 59)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['0100-01-01T00:00:00Z', Date.UTC(100)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)', time],
    ['Sat Nov 21 2026 02:23:45 GMT+0100 (West Africa Standard Time)', time],
    ['Fri Nov 20 2026 20:23:45 GMT-0500', time],
    ['Sat Nov 7 2026 01:23:45 GMT+0000 (UTC)', Date.UTC(2026, 10, 7, 1, 23, 45)],
  ] as const)
    assert.equal(parseServiceDate(text), expected, text)
})

test('returns null for an incomplete or impossible date', () => {
  for (const text of [
    'Nov 21 2026 01:23:45 GMT+0000',
    'Sat Nov 31 2026 01:23:45 GMT+0000 (Coordinated Universal Time)',
    'Sat Nov 21 2026 01:23:45 GMT+9900 (Nowhere)',
    ...['00-21', '13-21', '11-00', '11-31', '12-32'].map(day => `2026-${day}T01:23:45Z`),
    ...['2026-11-21', '2027-02-29T01:23:45Z', '2026-11-30T25:23:45Z'],
    ...['24:00:00Z', '01:60:45Z', '01:23:60Z'].map(time => `2026-11-21T${time}`),
    ...['', '.1234567891Z', '+24:00', '+00:60'].map(end => `2026-11-21T01:23:45${end}`),
    ...['0050-01-01T00:00:00Z', '0100-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ])
    assert.equal(parseServiceDate(text), null, text)
})

test('returns null for text before or after a date', () => {
  const text = 'Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)'
  for (const date of ['2026-11-21T01:23:45Z', '2026-11-21T01:23:45+01:00', text])
    for (const padded of [`1${date}`, ` ${date}`, `${date}1`, `${date} `, `${date}\n`])
      assert.equal(parseServiceDate(padded), null, JSON.stringify(padded))
})

const fourDigitYears = {min: Date.UTC(1000, 0, 2), max: Date.UTC(9999, 11, 30)}

test('parses every date that JavaScript formats, in both formats and any zone', () => {
  const zone = process.env['TZ']
  const zones = ['UTC', 'Africa/Lagos', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham']
  fc.assert(
    fc.property(fc.integer(fourDigitYears), fc.constantFrom(...zones), (at, name) => {
      assert.equal(parseServiceDate(new Date(at).toISOString()), at)
      // Before there were time zones, offsets had seconds, which this form leaves out.
      const second = Math.trunc((Math.abs(at) % Date.UTC(2100)) / 1000) * 1000
      process.env['TZ'] = name
      if (second > Date.UTC(1975)) assert.equal(parseServiceDate(new Date(second).toString()), second)
    }),
  )
  process.env['TZ'] = zone ?? ''
  if (zone === undefined) delete process.env['TZ']
})

test('returns null for any other text', () => {
  fc.assert(fc.property(fc.string({maxLength: 2000}), text => assert.equal(parseServiceDate(text), null)))
})
