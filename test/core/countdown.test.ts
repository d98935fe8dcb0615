import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {anchorAt, formatDuration, secondsLeft, serverNow, untilNextSecond} from '../../src/core/countdown.js'

const until = '2026-11-21T02:00:00Z'

describe('countdown', () => {
  it('invariant 9: secondsLeft uses the server’s time and a monotonic clock', () => {
    const anchor = anchorAt('2026-11-21T01:59:00.250Z', 5_000)
    assert.equal(secondsLeft(anchor, until, 5_000), 60)
    assert.equal(secondsLeft(anchor, until, 5_750), 59)
    assert.equal(secondsLeft(anchor, until, 5_751), 59)
    assert.equal(secondsLeft(anchor, until, 64_750), 0)
    assert.equal(serverNow(anchor, 6_000), Date.parse('2026-11-21T01:59:01.250Z'))
  })

  it('secondsLeft is never negative', () => {
    assert.equal(secondsLeft(anchorAt('2026-11-21T03:00:00Z', 0), until, 0), 0)
  })

  it('untilNextSecond is the time until secondsLeft changes', () => {
    const anchor = anchorAt('2026-11-21T01:59:00.250Z', 0)
    assert.equal(untilNextSecond(anchor, until, 0), 750)
    assert.equal(untilNextSecond(anchor, until, 750), 1_000)
    assert.ok(untilNextSecond(anchor, until, 1e9 + 1) > 0)
  })

  it('formatDuration has hours only above an hour', () => {
    assert.equal(formatDuration(0), '0:00')
    assert.equal(formatDuration(65), '1:05')
    assert.equal(formatDuration(3_600), '60:00')
    assert.equal(formatDuration(3_601), '1:00:01')
    assert.equal(formatDuration(86_399), '23:59:59')
  })
})
