/** A turn of the event loop that no engine delays, as timers are that follow one another. */
export function startFlushing(): () => Promise<void> {
  const {port1, port2} = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise(resolve => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
}
