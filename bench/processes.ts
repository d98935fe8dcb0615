/** Starts the processes of a benchmark and reads their figures. They end with this process. */
import {fork, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import type {Figures} from './processes/figures.js'
import type {Template} from './processes/template.js'

export type {Figures}

export interface Started<Message = {readonly port: number}> {
  readonly child: ChildProcess
  /** What it sends when it is ready. */
  readonly message: Message
}

export async function start<Message = {readonly port: number}>(
  name: string,
  options: object = {},
): Promise<Started<Message>> {
  const execArgv = ['--import', 'tsx', '--expose-gc']
  const child = fork(`bench/processes/${name}.ts`, [JSON.stringify(options)], {execArgv})
  const [message] = (await once(child, 'message')) as [Message]
  return {child, message}
}

/** A service with copies of one charge. */
export async function startService() {
  const {child, message} = await start<{port: number; template: Template}>('service')
  return {child, baseUrl: `http://127.0.0.1:${message.port}`, template: message.template}
}

/**
 * @param collect collects garbage before the heap is measured. Not while latency is measured: after it, V8 marks the whole
 *   heap again each time that it has grown by some megabytes, which takes the event loop's time.
 */
export async function figuresOf(child: ChildProcess, collect = false): Promise<Figures> {
  child.send(collect ? 'figures after gc' : 'figures')
  for (;;) {
    const [message] = (await once(child, 'message')) as [Figures | {paid: string}]
    if ('rssMb' in message) return message
  }
}

/** Milliseconds of CPU time of all. */
export function cpuMsOf(figures: readonly Figures[]): number {
  return figures.reduce((sum, {cpuMs}) => sum + cpuMs, 0)
}

export function heapBytesOf(figures: readonly Figures[]): number {
  return figures.reduce((sum, {heapMb}) => sum + heapMb * 1e6, 0)
}
