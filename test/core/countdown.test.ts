import assert from 'node:assert/strict'
import {it} from 'node:test'
import {anchorAt, formatDuration, secondsLeft, serverNow, untilNextSecond} from '../../src/core/countdown.js'

const until = '2026-11-21T02:00:00Z'

it('invariant 9: secondsLeft uses the server’s time and a monotonic clock, and is never negative', () => {
  const anchor = anchorAt('2026-11-21T01:59:00.250Z', 5_000)
  const seconds = [5_000, 5_750, 5_751, 64_750, 99_000].map(now => secondsLeft(anchor, until, now))
  assert.deepEqual(seconds, [60, 59, 59, 0, 0])
  assert.equal(serverNow(anchor, 6_000), Date.parse('2026-11-21T01:59:01.250Z'))
})

it('untilNextSecond is the time until secondsLeft changes', () => {
  const anchor = anchorAt('2026-11-21T01:59:00.250Z', 0)
  assert.equal(untilNextSecond(anchor, until, 0), 750)
  assert.equal(untilNextSecond(anchor, until, 750), 1_000)
  assert.ok(untilNextSecond(anchor, until, 1e9 + 1) > 0)
})

it('formatDuration has hours only above an hour', () => {
  const texts = [0, 65, 3_600, 3_601, 86_399].map(formatDuration)
  assert.deepEqual(texts, ['0:00', '1:05', '60:00', '1:00:01', '23:59:59'])
})
