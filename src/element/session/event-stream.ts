/** Reads the event stream of one charge. The element also works without it: then it reads more often. */
import {wakeUpSchema} from '../../contract/checkout.js'
import type {StreamListener} from '../../core/stream.js'

/** Uses `fetch`, because `EventSource` cannot send the client token in a header. Does not reject. */
export async function listenTo(
  request: (signal: AbortSignal) => Promise<Response>,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await request(signal)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.ok && response.body && isStream) await readWakeUps(response.body, listener, signal)
    else await response.body?.cancel()
  } catch {
    // The poller continues without a stream, and the stream is opened again.
  }
}

/** Parses only `data:` lines. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function readWakeUps(
  body: ReadableStream<Uint8Array>,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, {once: true})
  const decoder = new TextDecoder()
  let text = ''
  listener.onOpen()
  try {
    for (;;) {
      const {done, value} = await reader.read()
      if (done || signal.aborted) return
      listener.onBytes()
      text += decoder.decode(value, {stream: true})
      const lines = text.split(/\r\n|\n|\r/)
      text = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data:')) wakeUp(line.slice(5), listener)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function wakeUp(data: string, listener: StreamListener): void {
  try {
    const {data: wakeUp} = wakeUpSchema.safeParse(JSON.parse(data))
    if (wakeUp) listener.onWakeUp(wakeUp.rev)
  } catch {
    // Not JSON: a newer proxy may send other events.
  }
}
