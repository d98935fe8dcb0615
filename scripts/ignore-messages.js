/**
 * Stryker does not mutate the text of log lines and errors, because no test should depend on it. It mutates whether a line is
 * logged, and with which fields.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: {
      shouldIgnore({node, parent}) {
        if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined
        if (parent?.type === 'NewExpression' && /Error$/.test(parent.callee.name ?? '') && isText(node))
          return 'the text of an error'
        const isLogged =
          parent?.type === 'CallExpression' &&
          parent.callee.type === 'MemberExpression' &&
          ['info', 'warn', 'error'].includes(parent.callee.property.name)
        return isLogged ? 'the text of a log line' : undefined
      },
    },
  },
]

/** The code of a problem has no space and is mutated. */
function isText(node) {
  const text = node.type === 'StringLiteral' ? node.value : node.quasis.map(({value}) => value.raw).join('')
  return text.includes(' ')
}
