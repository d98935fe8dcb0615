/** The comments of schemas and their fields, which editors show: for the OpenAPI document of `serve` and for the tables in `docs/`. */
import {resolve} from 'node:path'
import ts from 'typescript'

export interface Comment {
  readonly text: string
  /** The text after `@shown`: where the customer sees the field. */
  readonly shown?: string | undefined
  readonly fields: Readonly<Record<string, Comment>>
}

/** By the names of the exported schemas. */
export function readComments(...files: readonly string[]): Readonly<Record<string, Comment>> {
  const program = ts.createProgram(
    files.map(file => resolve(file)),
    {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  )
  const checker = program.getTypeChecker()
  return Object.fromEntries(
    files
      .map(file => program.getSourceFile(resolve(file)))
      .flatMap(source => (source ? (checker.getSymbolAtLocation(source) ?? []) : []))
      .flatMap(module => checker.getExportsOfModule(module))
      .filter(({name}) => name.endsWith('Schema'))
      .map(symbol => [symbol.name, commentOf(symbol)]),
  )

  function commentOf(symbol: ts.Symbol): Comment {
    const shown = symbol.getJsDocTags(checker).find(({name}) => name === 'shown')
    return {
      text: inOneLine(symbol.getDocumentationComment(checker)),
      shown: shown && inOneLine(shown.text),
      fields: Object.fromEntries(fieldsOf(symbol).map(field => [field.name, commentOf(field)])),
    }
  }

  function fieldsOf(symbol: ts.Symbol): readonly ts.Symbol[] {
    const shape = checker.getTypeOfSymbol(symbol).getProperty('shape')
    return shape ? checker.getTypeOfSymbol(shape).getProperties() : []
  }
}

function inOneLine(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return ts.displayPartsToString(parts ? [...parts] : []).replaceAll(/\s+/g, ' ')
}
