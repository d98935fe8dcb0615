/**
 * Writes `dist/custom-elements.json` from the element's doc block, and from that what VS Code and JetBrains editors read.
 * Internal members are left out, and the paths are those of the package, because the source is not in it.
 */
import {customElementJetBrainsPlugin} from 'custom-element-jet-brains-integration'
import {customElementVsCodePlugin} from 'custom-element-vs-code-integration'

const tagName = 'crypto-checkout'
const element = 'dist/element/index.js'
const outdir = 'dist'

function publicPackage() {
  const internal = new Set()
  return {
    name: 'public-package',
    analyzePhase({ts, node}) {
      if (ts.getJSDocTags(node).some(tag => tag.tagName.text === 'internal') && node.name)
        internal.add(node.name.text)
    },
    packageLinkPhase({customElementsManifest}) {
      const declarations = customElementsManifest.modules
        .flatMap(module => module.declarations ?? [])
        .filter(({kind, superclass}) => kind === 'class' && superclass)
        .map(declaration => publicMembers(declaration, internal))
      customElementsManifest.modules = [
        {
          kind: 'javascript-module',
          path: element,
          declarations,
          exports: declarations.map(({name}) => ({kind: 'js', name, declaration: {name, module: element}})),
        },
        {
          kind: 'javascript-module',
          path: 'dist/index.js',
          declarations: [],
          exports: declarations
            .filter(({customElement}) => customElement)
            .map(({name}) => ({
              kind: 'custom-element-definition',
              name: tagName,
              declaration: {name, module: element},
            })),
        },
      ]
    },
  }
}

function publicMembers(declaration, internal) {
  const {members = [], events, attributes, ...others} = declaration
  const visible = members.filter(
    ({name, privacy}) =>
      !name.startsWith('#') && privacy !== 'private' && privacy !== 'protected' && !internal.has(name),
  )
  // The analyzer also lists `dispatchEvent(variable)`, without a name; the doc block has the names.
  const named = events?.filter(({name}) => name)
  // Last, because it is not a property of Lit.
  const isPhase = ({name}) => name === 'phase'
  const listed = attributes?.toSorted((a, b) => Number(isPhase(a)) - Number(isPhase(b)))
  return {
    ...others,
    ...(listed && {attributes: listed}),
    ...(named && {events: named}),
    ...(others.customElement && {tagName}),
    members: visible,
  }
}

export default {
  globs: ['src/element/crypto-checkout.ts', 'src/element/events.ts'],
  outdir,
  litelement: true,
  packagejson: false,
  plugins: [
    publicPackage(),
    customElementVsCodePlugin({outdir, htmlFileName: 'vscode.html-custom-data.json', cssFileName: null}),
    customElementJetBrainsPlugin({outdir, webTypesFileName: 'web-types.json', packageJson: false}),
  ],
}
