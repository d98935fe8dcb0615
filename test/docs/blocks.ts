/** The pages of the documentation and their code blocks. */
import {readdirSync, readFileSync} from 'node:fs'

export interface Block {
  /** Such as `docs/stores.md:33`. */
  readonly place: string
  readonly language: string
  readonly code: string
}

const inDocs = readdirSync('docs', {recursive: true, encoding: 'utf8'})
  .filter(name => name.endsWith('.md') && !name.startsWith('.vitepress'))
  .map(name => `docs/${name}`)

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'llms.txt',
  ...inDocs,
].map(name => ({name, text: readFileSync(name, 'utf8')}))

export const blocks: readonly Block[] = pages.flatMap(({name, text}) =>
  [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(({index, 1: language = '', 2: code = ''}) => ({
    place: `${name}:${text.slice(0, index).split('\n').length}`,
    language,
    code,
  })),
)
