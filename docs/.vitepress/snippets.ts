/** Pages include files of `examples/`, in lines that begin with `<<<`. Programs that read a page as Markdown get their text. */
import {readFileSync} from 'node:fs'
import {basename, dirname, extname, join} from 'node:path'

export function withSnippets(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^<<< ([^\s{]+)(\{\w+\})?$/gm, (_, path: string) => {
    const code = readFileSync(join(dirname(page), path), 'utf8').trimEnd()
    return `\`\`\`${(extname(path) || basename(path)).slice(1)}\n${code}\n\`\`\``
  })
}
