/**
 * Takes the white space out of the element's templates and styles, which no minifier of scripts looks into. Where HTML
 * had a line break there is still a space, because between words and buttons it shows; around a block it does not.
 */
import MagicString from 'magic-string'
import {parseSync, Visitor, type Plugin} from 'vite'

const block = '/?(?:p|div|ul|li|dl|dt|dd|h2|header|figure|figcaption)'

const shorter: Readonly<Record<string, (text: string) => string>> = {
  html: text =>
    text
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll(/="([a-z-]+)"(?=[ >])/g, '=$1')
      .replaceAll(/ (?=>)|(?<=") (?=\/>)/g, '')
      .replaceAll(new RegExp(` (?=<${block}[ >])|(?<=<${block}>) `, 'g'), ''),
  svg: text => text.replaceAll(' />', '/>'),
  css: text =>
    text
      .replaceAll(/\/\*[^]*?\*\//g, '')
      // The name of a part or of a phase needs no quotes; what else stands in them stays as it is.
      .replaceAll(/='([a-z-]+)'\]/g, '=$1]')
      .split(/('[^']*'|"[^"]*")/)
      .map((part, index) => (index % 2 ? part : tight(part)))
      .join(''),
}

/** The space before a colon stays: in a selector it means a descendant. */
function tight(css: string): string {
  return css
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/ ?> ?/g, '>')
    .replaceAll(/(?<=[ (,:-])0\./g, '.')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
}

export function shortTemplates(): Plugin {
  return {
    name: 'short-templates',
    enforce: 'pre',
    transform: {
      filter: {id: /\/src\/element\/.*\.ts$/},
      handler(code, id) {
        const text = new MagicString(code)
        // The forms of a page end at the shadow root: where there is none, a button has nothing to submit.
        const formless = (html: string) =>
          code.includes('<form') ? html : html.replaceAll(' type=button', '')
        const shorten = new Visitor({
          TaggedTemplateExpression({tag, quasi}) {
            const short = tag.type === 'Identifier' ? shorter[tag.name] : undefined
            if (!short) return
            // The range of a piece takes in the marks around it.
            for (const {start, value} of quasi.quasis)
              if (value.raw) text.update(start + 1, start + 1 + value.raw.length, formless(short(value.raw)))
          },
        })
        shorten.visit(parseSync(id, code).program)
        return {code: text.toString(), map: text.generateMap({hires: true})}
      },
    },
  }
}
