/**
 * What is only for people's eyes is not mutated: the words of a log line and of an error. No test should hold them, and
 * each would count as a survivor. Whether a line is logged at all, and with which fields, is mutated like the rest.
 */
import {declareValuePlugin, PluginKind} from '@stryker-mutator/api/plugin'

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'log-texts', {
    shouldIgnore({node, parent}) {
      if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined
      if (parent?.type === 'NewExpression' && /Error$/.test(parent.callee.name ?? '') && isWords(node))
        return 'the words of an error'
      const isLogged =
        parent?.type === 'CallExpression' &&
        parent.callee.type === 'MemberExpression' &&
        ['info', 'warn', 'error'].includes(parent.callee.property.name)
      return isLogged ? 'the words of a log line' : undefined
    },
  }),
]

/** A problem's code is one word, and is mutated. */
function isWords(node) {
  const text = node.type === 'StringLiteral' ? node.value : node.quasis.map(({value}) => value.raw).join('')
  return text.includes(' ')
}
