/**
 * Gives the late parts of the script-tag build what they share with the entry as an argument. A bundler would have them
 * import it from the entry by name; but a page may have loaded the entry under another address (`?v=2`, a redirect of a
 * CDN), and the browser would then load and run it a second time, with a second lit, which under Trusted Types throws.
 *
 * So a late part becomes `export default shared => …`, run once, and who loads it passes `shared` on.
 */
import MagicString from 'magic-string'
import {parseSync, Visitor, type ESTree, type Plugin} from 'vite'

/** Names that no bundled code has. */
const SHARED = '__shared'
const PART = '__part'

export function lateParts(): Plugin {
  return {
    name: 'late-parts',
    renderChunk(code, chunk, _options, {chunks}) {
      const moduleOf = (id: string) => this.getModuleInfo(id)
      const text = new MagicString(code)
      const {program} = parseSync(chunk.fileName, code)
      passOn(program, text, chunk.isEntry ? `${SHARED}()` : SHARED)
      if (chunk.isEntry) giveShared(program, text, new Set(namesOf(chunk.facadeModuleId)))
      else takeShared(program, text, file => chunks[file.slice('./'.length)]?.isEntry === true)
      return {code: text.toString(), map: text.generateMap({hires: true})}

      function namesOf(id: string | null): string[] {
        const module = id === null ? null : moduleOf(id)
        const all = module?.exports ?? []
        return all.flatMap(name => (name === '*' ? (module?.importedIds ?? []).flatMap(namesOf) : [name]))
      }
    },
  }
}

function passOn(program: ESTree.Program, text: MagicString, shared: string): void {
  new Visitor({
    ImportExpression({end}) {
      text.appendLeft(end, `.then(part=>part.default(${shared}))`)
    },
  }).visit(program)
}

/** The entry: it exports what the door does, and hands out the rest. */
function giveShared(program: ESTree.Program, text: MagicString, door: ReadonlySet<string>): void {
  const shared: string[] = []
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const own: string[] = []
    for (const {local, exported} of statement.specifiers) {
      const [from, to] = [named(local), named(exported)]
      if (door.has(to)) own.push(`${from} as ${to}`)
      else shared.push(`${to}:${from}`)
    }
    text.update(statement.start, statement.end, `export {${own.join(', ')}}`)
  }
  text.append(`\nfunction ${SHARED}(){return {${shared.join(',')}}}`)
}

/** A late part: its body becomes that of a function. */
function takeShared(program: ESTree.Program, text: MagicString, isEntry: (file: string) => boolean): void {
  const others: string[] = []
  const gives: string[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = statement.source.value
      const taken = statement.specifiers.map(specifier => {
        if (specifier.type !== 'ImportSpecifier') throw new Error(`no name is taken from ${from}`)
        return `${named(specifier.imported)}:${specifier.local.name}`
      })
      if (!isEntry(from)) others.push(`import ${PART}${others.length} from '${from}'`)
      const source = isEntry(from) ? SHARED : `${PART}${others.length - 1}(${SHARED})`
      text.update(statement.start, statement.end, `const {${taken.join(',')}}=${source};`)
    } else if (statement.type === 'ExportNamedDeclaration') {
      gives.push(...statement.specifiers.map(({local, exported}) => `${named(exported)}:${named(local)}`))
      text.remove(statement.start, statement.end)
    }
  }
  text.prepend(`${others.join('\n')}\nlet ${PART};\nconst make=${SHARED}=>{`)
  text.append(`\nreturn {${gives.join(',')}}}\nexport default ${SHARED}=>${PART}??=make(${SHARED})`)
}

function named(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}
