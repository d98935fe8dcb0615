import type {Checkout, ObservedPayment} from '../../../src/contract/index.js'
import {opened} from '../scripted-service.js'

/** The merchant's handlers, and what they were called with. */
export function recordingHandlers() {
  const received: string[] = []
  let failures = 0
  const receive = (text: string) => {
    if (failures-- > 0) throw new TypeError('canary')
    received.push(text)
  }
  return {
    received,
    /** The next calls throw. */
    failNext: (times: number) => (failures = times),
    handlers: {
      onPayment: ({transactionId, local}: ObservedPayment) =>
        receive(`payment ${transactionId} ${local.amount}`),
      onPaid: async ({chargeId, status}: Checkout) => {
        await Promise.resolve()
        receive(`paid ${chargeId} ${status}`)
      },
    },
  }
}

/** A proxy with recording handlers, and with charge `c1` open. */
export async function openedWithHandlers(options: Parameters<typeof opened>[0] = {}) {
  const recording = recordingHandlers()
  return {...(await opened({...recording.handlers, ...options})), ...recording}
}

/** A handler that waits for the test each time it is called. */
export function holdingHandler() {
  const calls: {finish: () => void; fail: () => void}[] = []
  const handler = () =>
    new Promise<void>((resolve, reject) =>
      calls.push({finish: resolve, fail: () => reject(new TypeError('canary'))}),
    )
  return {calls, handler}
}
