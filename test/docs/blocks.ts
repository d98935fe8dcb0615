/** The code blocks of README and docs. Two pages have tests of their own, in which their blocks run. */
import {readdirSync, readFileSync} from 'node:fs'

export interface Block {
  /** Such as `docs/stores.md:33`. */
  readonly place: string
  readonly language: string
  readonly code: string
}

/** Run by test/http, and held against the demo's apps by test/frameworks-docs.test.ts. */
const testedElsewhere = ['docs/mounting.md', 'docs/frameworks.md']

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'llms.txt',
  ...below('docs'),
]

export const blocks = pages.filter(page => !testedElsewhere.includes(page)).flatMap(blocksOf)

function below(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`)
    .sort()
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)].map(
    ({index, 1: indentation = '', 2: language = '', 3: code = ''}) => ({
      place: `${page}:${text.slice(0, index).split('\n').length}`,
      language,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  )
}
