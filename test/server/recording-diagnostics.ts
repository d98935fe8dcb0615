/** Subscribes to the channel, as an operator's code does. */
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import type {DiagnosticsMessage} from '../../src/server/base/diagnostics.js'

const CHANNEL = 'crypto-checkout'

export function recordDiagnostics(): {published: DiagnosticsMessage[]; stop(): void} {
  const published: DiagnosticsMessage[] = []
  const record = (message: unknown) => void published.push({...(message as DiagnosticsMessage)})
  subscribe(CHANNEL, record)
  return {published, stop: () => void unsubscribe(CHANNEL, record)}
}
