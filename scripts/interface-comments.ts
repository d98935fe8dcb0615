/** The comments of an interface's members, which editors show: for the tables of options and methods in `docs/`. */
import {resolve} from 'node:path'
import ts from 'typescript'

export interface Member {
  readonly name: string
  /** As it is declared, such as `close(): Promise<void>`. */
  readonly declared: string
  /** In one line. */
  readonly text: string
}

/** @returns a function for the members of an exported interface of this file, those of its bases included */
export function readInterfaces(file: string): (name: string) => Member[] {
  const program = ts.createProgram([resolve(file)], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(resolve(file))
  const module = source && checker.getSymbolAtLocation(source)
  const exported = module ? checker.getExportsOfModule(module) : []
  return name => {
    const found = exported.find(each => each.name === name)
    if (!found) throw new Error(`${file} does not export ${name}`)
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
    return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(member => ({
      name: member.name,
      declared: (member.declarations?.[0]?.getText() ?? '').replace(/^readonly /, '').replaceAll(/\s+/g, ' '),
      text: ts.displayPartsToString(member.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim(),
    }))
  }
}
