/** The figures that a process of a benchmark sends when its parent asks for them. */
import {monitorEventLoopDelay} from 'node:perf_hooks'

interface Own {
  /** GET requests to the service. */
  readonly upstreamReads?: number
  /** The starts of the rounds of the worker, and the CPU time until then, in milliseconds. */
  readonly rounds?: readonly {readonly at: number; readonly cpuMs: number}[]
}

export interface Figures extends Required<Own> {
  readonly rssMb: number
  /** With the garbage, unless it was collected. */
  readonly heapMb: number
  /** Milliseconds of CPU time since the start. Other load on the machine hardly changes it. */
  readonly cpuMs: number
  /** The 99th percentile of the delay of the event loop since the last figures, in milliseconds. */
  readonly loopP99Ms: number
}

/** CPU time of the garbage collections that the parent requested. */
let forcedGcMs = 0

export function cpuMs(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1000 - forcedGcMs
}

export function sendFigures(own: () => Own): void {
  // A finer resolution costs a noticeable share of the CPU time that is measured.
  const delays = monitorEventLoopDelay({resolution: 20})
  delays.enable()
  process.on('message', message => {
    if (message !== 'figures' && message !== 'figures after gc') return
    const used = cpuMs()
    const loopP99Ms = delays.percentile(99) / 1e6
    if (message === 'figures after gc') globalThis.gc?.()
    forcedGcMs += cpuMs() - used
    const {rss, heapUsed} = process.memoryUsage()
    const figures: Figures = {
      upstreamReads: 0,
      rounds: [],
      ...own(),
      loopP99Ms,
      rssMb: Math.round(rss / 1e6),
      heapMb: Number((heapUsed / 1e6).toFixed(2)),
      cpuMs: used,
    }
    process.send?.(figures)
    delays.reset()
  })
  process.on('disconnect', () => process.exit(0))
}
