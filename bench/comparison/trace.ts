/** Where the main thread's time goes until something is shown, from a trace of Chromium. */
import type {Page} from 'puppeteer-core'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
}

/** Milliseconds of each kind of work, without the work inside it. */
export type Work = Readonly<Record<string, number>>

const kinds: Readonly<Record<string, string>> = {
  ParseHTML: 'parse the page',
  'v8.compileModule': 'compile the module',
  'v8.compile': 'compile the module',
  'v8.evaluateModule': 'evaluate the module',
  EvaluateScript: 'evaluate the module',
  RunMicrotasks: 'microtasks and other work',
  // What is left of a task. Some versions of Chromium do not trace microtasks.
  RunTask: 'microtasks and other work',
  FunctionCall: 'callbacks: timers, events, observers',
  UpdateLayoutTree: 'styles',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
  MinorGC: 'garbage collection',
  MajorGC: 'garbage collection',
}
const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', 'blink.user_timing']

export async function startTrace(page: Page): Promise<(from: string, to: string) => Promise<Work>> {
  await page.tracing.start({categories})
  return async (from, to) => {
    const trace: unknown = JSON.parse(new TextDecoder().decode(await page.tracing.stop()))
    return workBetween(eventsOf(trace), from, to)
  }
}

function eventsOf(trace: unknown): TraceEvent[] {
  const events: unknown = trace instanceof Object && 'traceEvents' in trace ? trace.traceEvents : []
  return Array.isArray(events) ? events.filter(isTraceEvent) : []
}

function isTraceEvent(event: unknown): event is TraceEvent {
  return event instanceof Object && 'name' in event && 'ph' in event && 'ts' in event && 'tid' in event
}

/** `from` and `to` are performance marks of the page. */
export function workBetween(events: readonly TraceEvent[], from: string, to: string): Work {
  const start = events.findLast(({name}) => name === from)
  const end = events.findLast(({name}) => name === to)
  if (!start || !end) throw new Error(`the trace has no mark ${start ? to : from}`)
  const ownThread = events
    .filter(({ph, pid, tid}) => ph === 'X' && pid === end.pid && tid === end.tid)
    .filter(({name, ts, dur = 0}) => name in kinds && ts + dur > start.ts && ts < end.ts)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const work: Record<string, number> = {}
  const open: {kind: string; until: number}[] = []
  for (const {name, ts, dur = 0} of ownThread) {
    while (open.length > 0 && (open.at(-1)?.until ?? 0) <= ts) open.pop()
    const kind = kinds[name] ?? name
    const [begin, until] = [Math.max(ts, start.ts), Math.min(ts + dur, end.ts)]
    const parent = open.at(-1)
    if (parent) work[parent.kind] = (work[parent.kind] ?? 0) - (until - begin) / 1000
    work[kind] = (work[kind] ?? 0) + (until - begin) / 1000
    open.push({kind, until})
  }
  return work
}
