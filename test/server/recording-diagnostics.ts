/** Subscribes to every channel, as an operator's code does. */
import {subscribe, tracingChannel, unsubscribe} from 'node:diagnostics_channel'

/** `event` is empty for a channel without a trace. A copy, because the context of a trace changes until its end. */
interface Published {
  readonly channel: string
  readonly event: string
  readonly message: Record<string, unknown>
}

export function recordDiagnostics(): {published: Published[]; stop(): void} {
  const published: Published[] = []
  const stops: (() => void)[] = []
  const record = (name: string, event: string) => (message: unknown) =>
    void published.push({channel: name, event, message: {...(message as object)}})
  for (const name of ['checkout', 'problem', 'limited', 'alert']) {
    const listener = record(name, '')
    subscribe(`crypto-checkout:${name}`, listener)
    stops.push(() => unsubscribe(`crypto-checkout:${name}`, listener))
  }
  for (const name of ['service', 'store', 'notify']) {
    const target = tracingChannel(`crypto-checkout:${name}`)
    const listeners = {
      start: record(name, 'start'),
      end: record(name, 'end'),
      asyncStart: record(name, 'asyncStart'),
      asyncEnd: record(name, 'asyncEnd'),
      error: record(name, 'error'),
    }
    target.subscribe(listeners)
    stops.push(() => target.unsubscribe(listeners))
  }
  return {
    published,
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}
