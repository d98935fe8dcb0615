/**
 * Colours of code blocks, as classes: the policy of the site allows no style attributes, which Shiki writes by default.
 * `theme/style.css` has a colour for each, for light and dark.
 */
import type {MarkdownOptions} from 'vitepress'

const scopes = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'constant.other.color'],
  constant: ['constant', 'support.constant', 'variable.language', 'keyword.other.unit'],
  keyword: ['keyword', 'storage', 'entity.name.tag', 'meta.property-name', 'support.type.property-name'],
  function: ['entity.name.function', 'support.function', 'entity.other.attribute-name', 'entity.name.type'],
}

export const codeTheme: NonNullable<MarkdownOptions['theme']> = {
  name: 'classes',
  type: 'light',
  fg: 'var(--code-text)',
  bg: 'var(--code-background)',
  settings: Object.entries(scopes).map(([name, scope]) => ({
    scope,
    settings: {foreground: `var(--code-${name})`},
  })),
}

export const classes: NonNullable<MarkdownOptions['codeTransformers']>[number] = {
  pre({properties}) {
    delete properties['style']
  },
  span({properties}) {
    const [, name] = /--code-(\w+)/.exec(String(properties['style'])) ?? []
    delete properties['style']
    if (name !== undefined && name !== 'text') properties['class'] = `code-${name}`
  },
}
