/**
 * The arrows between the rooms of `src`, as a lint rule: what each room may import, and who may touch Node.
 * The same source has to run in a browser page and to hold a key on a server, so an import in the wrong direction is
 * a fault even when it compiles.
 */
import path from 'node:path'
import {isBuiltin} from 'node:module'

/** Room → the rooms and the packages (a name, or a prefix ending in `/`) that it may import. */
const rooms = {
  contract: {rooms: [], packages: ['zod/mini']},
  core: {rooms: ['contract'], packages: []},
  element: {rooms: ['core', 'contract'], packages: ['lit', 'lit/', '@lit/task', 'lean-qr/nano']},
  react: {rooms: ['element'], packages: ['react', 'react/']},
  vue: {rooms: ['element'], packages: ['vue']},
  svelte: {rooms: ['element'], packages: ['svelte/elements']},
  http: {rooms: [], packages: []},
  server: {
    rooms: ['contract', 'http'],
    packages: ['zod/mini', 'lossless-json', '@noble/hashes/', 'rate-limiter-flexible'],
  },
  sandbox: {rooms: ['contract', 'http'], packages: ['zod/mini', 'lossless-json', '@noble/hashes/']},
}

/** `src/index.ts`, the door that registers the element. */
const rootDoor = {rooms: ['element'], packages: []}

/** The files that know they run on Node. All else in `src` also runs in a page. */
const onNode = new Set([
  'http/node.ts',
  'sandbox/cli.ts',
  'sandbox/index.ts',
  'server/cli.ts',
  'server/index.ts',
  'server/stores/file-store.ts',
  'server/service/http-transport.ts',
])
const network = 'server/service/http-transport.ts'

const messages = {
  room: '"{{from}}" may not import "{{to}}": it may import {{allowed}}.',
  package: '"{{from}}" may not import the package "{{to}}": it may import {{allowed}}.',
  outside: 'Code in src may not import from outside src ("{{to}}").',
  node: 'Only {{files}} may import "{{to}}", because all else also runs in a page.',
  network: 'Only src/{{file}} may import undici.',
  dynamic: 'Say what is imported as plain text, so that the arrows can be seen.',
  vague: 'Name the file after the idea that it holds; "{{name}}" could hold anything.',
}

const arrows = {
  meta: {type: 'problem', schema: [], messages},
  create(context) {
    const file = insideSource(context)
    if (file === undefined) return {}
    const [from, law] = lawOf(file)
    const say = (node, messageId, data) => context.report({node, messageId, data})

    function judge(node, name) {
      if (isBuiltin(name)) {
        if (!onNode.has(file)) say(node, 'node', {to: name, files: [...onNode].join(', ')})
      } else if (name.startsWith('.')) {
        judgeFile(node, path.posix.join(path.posix.dirname(file), name).replace(/\.jsx?$/, '.ts'))
      } else if (name === 'undici' || name.startsWith('undici/')) {
        if (file !== network) say(node, 'network', {file: network})
      } else if (
        !law.packages.some(allowed => (allowed.endsWith('/') ? name.startsWith(allowed) : name === allowed))
      ) {
        say(node, 'package', {from, to: name, allowed: listed(law.packages)})
      }
    }

    function judgeFile(node, target) {
      if (target.startsWith('..')) return say(node, 'outside', {to: target})
      const [to] = lawOf(target)
      if (to !== from && !law.rooms.includes(to))
        return say(node, 'room', {from, to, allowed: listed(law.rooms)})
      if (onNode.has(target) && !onNode.has(file))
        say(node, 'node', {to: target, files: [...onNode].join(', ')})
    }

    const fromSource = node => {
      if (node.source) judge(node.source, node.source.value)
    }
    return {
      ImportDeclaration: fromSource,
      ExportNamedDeclaration: fromSource,
      ExportAllDeclaration: fromSource,
      TSImportType: fromSource,
      ImportExpression(node) {
        if (node.source.type === 'Literal') judge(node.source, String(node.source.value))
        else say(node.source, 'dynamic')
      },
    }
  },
}

const fileName = {
  meta: {type: 'suggestion', schema: [], messages},
  create: context => ({
    Program(node) {
      const name = path.basename(context.filename).replace(/\..*$/, '')
      if (/^(.*[-_.])?(utils?|helpers?|misc|common)$/i.test(name))
        context.report({node, loc: {line: 1, column: 0}, messageId: 'vague', data: {name}})
    },
  }),
}

function insideSource(context) {
  const relative = path.relative(path.join(context.cwd, 'src'), context.filename).replaceAll(path.sep, '/')
  return relative.startsWith('..') || path.isAbsolute(relative) ? undefined : relative
}

/** The room of a file, by name and by law. A folder that has no law may import nothing. */
function lawOf(file) {
  const slash = file.indexOf('/')
  if (slash < 0) return ['src', rootDoor]
  const room = file.slice(0, slash)
  return [room, rooms[room] ?? {rooms: [], packages: []}]
}

function listed(names) {
  return names.length > 0 ? names.join(', ') : 'nothing'
}

export const roomsPlugin = {rules: {arrows, 'file-name': fileName}}
