/**
 * Reads the element's doc block into `dist/custom-elements.json`. What is internal is left out, and the paths are those
 * of the package, because the source is not in it.
 */
const tagName = 'crypto-checkout'
const element = 'dist/element/index.js'

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
        .map(declaration => publicFace(declaration, internal))
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

function publicFace(declaration, internal) {
  const {members = [], events, attributes, ...rest} = declaration
  const shown = members.filter(
    ({name, privacy}) =>
      !name.startsWith('#') && privacy !== 'private' && privacy !== 'protected' && !internal.has(name),
  )
  // The analyzer also counts `dispatchEvent(variable)`, of which it cannot know the name; the doc block does.
  const named = events?.filter(({name}) => name)
  // Of an attribute's default it knows the name that the source has for it, of the property's also the value.
  const valued = attributes?.map(attribute => ({
    ...attribute,
    ...members
      .filter(({attribute: name}) => name === attribute.name)
      .map(({default: value}) => ({default: value}))[0],
  }))
  return {
    ...rest,
    ...(valued && {attributes: valued}),
    ...(named && {events: named}),
    ...(rest.customElement && {tagName}),
    members: shown,
  }
}

export default {
  globs: ['src/element/crypto-checkout.ts', 'src/element/events.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [publicPackage()],
}
