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

export async function figuresOf(child: ChildProcess): Promise<Figures> {
  child.send('figures')
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}
