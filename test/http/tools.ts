/** Middleware, and the older version of a framework. */
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {RequestHandler} from 'express'
import {installTools} from '../package/project.js'

const tools = createRequire(join(await installTools('test/http/tools.json'), 'tools.js'))

export const compression = tools('compression') as () => RequestHandler

/** The URL of a package, to import it. */
export function toolUrl(name: string): string {
  return pathToFileURL(tools.resolve(name)).href
}
