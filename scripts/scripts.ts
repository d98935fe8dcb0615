/** What built scripts say about themselves, read from their syntax. */
import {existsSync, readdirSync} from 'node:fs'
import {sep} from 'node:path'
import {parseSync} from 'vite'

export function scriptsBelow(folder: string): string[] {
  return filesBelow(folder, '.js')
}

export function declarationsBelow(folder: string): string[] {
  return filesBelow(folder, '.d.ts')
}

function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith(ending))
    .map(name => `${folder}/${name.replaceAll(sep, '/')}`)
    .sort()
}

/** The modules that must have arrived before this one can run. */
export function staticImports(code: string): string[] {
  return program(code).body.flatMap(statement => {
    const from =
      statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportNamedDeclaration' ||
      statement.type === 'ExportAllDeclaration'
        ? statement.source
        : null
    return from ? [from.value] : []
  })
}

export function hasDecorator(code: string): boolean {
  return contains(program(code), 'Decorator')
}

function program(code: string) {
  return parseSync('script.js', code).program
}

function contains(node: unknown, type: string): boolean {
  if (Array.isArray(node)) return node.some(child => contains(child, type))
  if (typeof node !== 'object' || node === null) return false
  return ('type' in node && node.type === type) || Object.values(node).some(child => contains(child, type))
}
