/** A clock that runs `SPEED` times as fast, the same in all processes of a benchmark. Default: the real time. */
import {env} from 'node:process'
import {systemClock, type Clock} from '../src/contract/index.js'
import type {Store} from '../src/server/index.js'

export const SPEED = Number(env['SPEED'] ?? 1)
/** Child processes inherit it. */
const startedAt = Number((env['CLOCK_STARTED_AT'] ??= String(Date.now())))

export const fastClock: Clock = {
  now: () => startedAt + (Date.now() - startedAt) * SPEED,
  sleep: (milliseconds, ...rest) => systemClock.sleep(milliseconds / SPEED, ...rest),
}

/** The store itself measures the time of a lease. */
export function withFastLeases(store: Store): Store {
  const {lease} = store
  return lease
    ? {...store, lease: (name, durationMs) => lease(name, Math.max(1, Math.round(durationMs / SPEED)))}
    : store
}
