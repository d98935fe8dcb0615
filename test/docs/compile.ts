/**
 * Compiles blocks as a reader's project would: the package's doors lead to the sources, each block is a file of its own.
 * JavaScript is checked as an editor does it, TypeScript strictly.
 */
import {join, resolve} from 'node:path'
import ts from 'typescript'
import type {Block} from './blocks.js'

const root = resolve('.')
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: ['node'],
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
  experimentalDecorators: true,
  useDefineForClassFields: false,
  paths: {
    'crypto-checkout': [join(root, 'src/index.ts')],
    'crypto-checkout/*': [join(root, 'src/*/index.ts')],
  },
}

export interface Compiled {
  readonly program: ts.Program
  /** What the compiler has to say, with the place in the page. */
  readonly faults: readonly string[]
}

export function compile(blocks: readonly Block[], isStrict: boolean): Compiled {
  const files = new Map(
    blocks.map((block, index) => [join(root, `test/docs/block-${index}.${block.language}`), block]),
  )
  const settings = {...options, strict: isStrict}
  const host = ts.createCompilerHost(settings)
  const {fileExists, readFile, getSourceFile} = host
  host.fileExists = file => files.has(file) || fileExists(file)
  host.readFile = file => textOf(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const text = textOf(file)
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, rest[0])
  }
  const program = ts.createProgram([...files.keys(), join(root, 'src/server/index.ts')], settings, host)
  const faults = [...files].flatMap(([file, {place}]) => {
    const source = program.getSourceFile(file)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(({messageText}) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
  return {program, faults}

  /** A module, also where it imports nothing. Words in `…` stand for what the reader has to fill in. */
  function textOf(file: string): string | undefined {
    const code = files.get(file)?.code
    if (code === undefined) return undefined
    const isAbridged = code.includes(' /* … */')
    const rest = isAbridged ? "declare const rest: Omit<Words, 'dir' | 'title'>" : ''
    return `${code.replace(' /* … */', ', ...rest')}\nexport {}\n${rest}\n`
  }
}

/** The names of an interface that a file exports. */
export function fieldsOf(program: ts.Program, file: string, name: string): string[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(join(root, file))
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find(each => each.name === name)
  if (!symbol) throw new Error(`${file} does not export ${name}`)
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(field => field.name)
}
