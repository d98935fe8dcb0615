/** Tables that the policy of the site allows, and that screen readers can read. */
import type {MarkdownRenderer} from 'vitepress'

/** Aligns cells by attributes, since style attributes are not allowed, and makes empty headers ordinary cells. */
export function adaptTables(md: MarkdownRenderer): void {
  md.core.ruler.push('adapt-tables', ({tokens}) => {
    for (const [index, token] of tokens.entries()) {
      for (const attribute of token.attrs ?? []) {
        const [, side] = /^text-align:(\w+)$/.exec(attribute[1]) ?? []
        if (attribute[0] === 'style' && side !== undefined) attribute.splice(0, 2, 'align', side)
      }
      const [content, close] = tokens.slice(index + 1, index + 3)
      if (token.type === 'th_open' && content?.content === '' && close) token.tag = close.tag = 'td'
    }
  })
}
