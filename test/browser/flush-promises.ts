/** Returns a function that waits for one task. Unlike nested timers, messages are not delayed by engines. */
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
