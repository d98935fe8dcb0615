/**
 * Makes each lazy chunk of the script-tag build a function of the code that it shares with the entry.
 *
 * A bundler lets lazy chunks import shared code from the entry by its file name. A page may load the entry under another
 * URL (`crypto-checkout.js?ver=2`, or a CDN's redirect). Then the browser would load and run the entry a second time, and
 * the second lit throws under Trusted Types. So the entry passes the shared code on:
 *
 * entry:      import('./payment.js').then(chunk => chunk.default(shared()))
 * lazy chunk: export default shared => loaded ??= load(shared)
 */
import MagicString from 'magic-string'
import {parseSync, Visitor, type ESTree, type Plugin} from 'vite'

export function shareEntryCode(): Plugin {
  return {
    name: 'share-entry-code',
    renderChunk(code, {fileName, isEntry, facadeModuleId}) {
      const publicNames = (id: string | null): string[] => {
        const module = id === null ? null : this.getModuleInfo(id)
        const names = module?.exports ?? []
        return names.flatMap(name =>
          name === '*' ? (module?.importedIds ?? []).flatMap(publicNames) : [name],
        )
      }
      const text = new MagicString(code)
      const {program} = parseSync(fileName, code)
      new Visitor({
        ImportExpression({end}) {
          text.appendLeft(end, `.then(chunk=>chunk.default(${isEntry ? '__shared()' : '__shared'}))`)
        },
      }).visit(program)
      if (isEntry) editEntry(program, text, new Set(publicNames(facadeModuleId)))
      else editLazyChunk(program, text)
      return {code: text.toString(), map: text.generateMap({hires: true})}
    },
  }
}

/** Keeps the public exports, and returns the others from `__shared()`. */
function editEntry(program: ESTree.Program, text: MagicString, publicNames: ReadonlySet<string>): void {
  const shared: string[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const publicExports: string[] = []
    for (const {local, exported} of statement.specifiers) {
      if (publicNames.has(nameOf(exported))) publicExports.push(`${nameOf(local)} as ${nameOf(exported)}`)
      else shared.push(`${nameOf(exported)}:${nameOf(local)}`)
    }
    text.update(statement.start, statement.end, `export {${publicExports.join(', ')}}`)
  }
  text.append(`\nfunction __shared(){return {${shared.join(',')}}}`)
}

/** Turns the module's body into a function: imports become its parameter, exports its result. */
function editLazyChunk(program: ESTree.Program, text: MagicString): void {
  const exports: string[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      if (statement.source.value !== './crypto-checkout.js')
        throw new Error(`a lazy chunk may import the entry only, not ${statement.source.value}`)
      const names = statement.specifiers.map(specifier => {
        if (specifier.type !== 'ImportSpecifier') throw new Error('a lazy chunk may import names only')
        return `${nameOf(specifier.imported)}:${specifier.local.name}`
      })
      text.update(statement.start, statement.end, `const {${names.join(',')}}=__shared;`)
    } else if (statement.type === 'ExportNamedDeclaration') {
      exports.push(...statement.specifiers.map(({local, exported}) => `${nameOf(exported)}:${nameOf(local)}`))
      text.remove(statement.start, statement.end)
    }
  }
  text.prepend('let __loaded;\nconst __load=__shared=>{')
  text.append(`\nreturn {${exports.join(',')}}}\nexport default __shared=>__loaded??=__load(__shared)`)
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}
