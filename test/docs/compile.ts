/** Compiles code blocks like a reader's project: TypeScript strictly, JavaScript as an editor checks it. */
import {join, resolve} from 'node:path'
import ts from 'typescript'
import {toolFolder} from '../http/tools.js'
import type {Block} from './blocks.js'

const root = resolve('.')
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: ['node'],
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
  jsx: ts.JsxEmit.ReactJSX,
  experimentalDecorators: true,
  useDefineForClassFields: false,
  paths: {
    'crypto-checkout': [join(root, 'src/index.ts')],
    'crypto-checkout/files': [join(root, 'src/files/index.d.ts')],
    'crypto-checkout/server': [join(root, 'src/node/index.ts')],
    'crypto-checkout/render': [join(root, 'src/pages/render/index.ts')],
    'crypto-checkout/*': [join(root, 'src/*/index.ts')],
    '@fastify/static': [toolFolder('@fastify/static')],
    'koa-static': [toolFolder('@types/koa-static')],
  },
}

/** The files that are not blocks: the libraries and our source are parsed once. */
const shared = new Map<string, ts.SourceFile>()

/** Each block is a file of its own. An error begins with the place of its block. */
export function compile(blocks: readonly Block[], strict: boolean): {program: ts.Program; errors: string[]} {
  const files = new Map(
    blocks.map((block, index) => [join(root, `test/docs/block-${index}.${block.language}`), block]),
  )
  const host = ts.createCompilerHost({...options, strict})
  const {fileExists, readFile, getSourceFile} = host
  host.fileExists = file => files.has(file) || fileExists(file)
  host.readFile = file => files.get(file)?.code ?? readFile(file)
  host.getSourceFile = (file, ...others) => {
    const source = shared.get(file) ?? getSourceFile(file, ...others)
    if (source && !files.has(file)) shared.set(file, source)
    return source
  }
  const program = ts.createProgram(
    [...files.keys(), join(root, 'src/node/index.ts')],
    {...options, strict},
    host,
  )
  const errors = [...files].flatMap(([file, {place}]) => {
    const source = program.getSourceFile(file)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(({messageText}) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
  return {program, errors}
}

/** The names of the fields of an exported interface. */
export function fieldsOf(program: ts.Program, file: string, name: string): string[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(join(root, file))
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find(each => each.name === name)
  if (!symbol) throw new Error(`${file} does not export ${name}`)
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(field => field.name)
}
