/** Packages of the servers, and the older version of a framework. */
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {installTools} from '../package/project.js'

const folder = await installTools('test/http/tools.json')
const tools = createRequire(join(folder, 'tools.js'))

/** The folder of a package, for its types. */
export function toolFolder(name: string): string {
  return join(folder, name)
}

/** The URL of a package, to import it. */
export function toolUrl(name: string): string {
  return pathToFileURL(tools.resolve(name)).href
}
