/** Starts the processes of a load test and reads their figures. */
import {fork, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import type {Figures} from './load-process.js'

export interface Started {
  readonly child: ChildProcess
  readonly port: number
}

export async function start(children: ChildProcess[], ...args: string[]): Promise<Started> {
  const child = fork('bench/load-process.ts', args, {execArgv: ['--import', 'tsx', '--expose-gc']})
  children.push(child)
  const [message] = (await once(child, 'message')) as [{port: number}]
  return {child, port: message.port}
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
