/** The CSS of the theme and of the width, as the visitor copies it. */
import {defaultColors} from './element-colors.js'
import type {PlaygroundState} from './state.js'
import {propertiesOf} from './theme.js'

/** Empty if nothing differs from the defaults. */
export function themeCss({theme, width}: Pick<PlaygroundState, 'theme' | 'width'>): string {
  const properties = propertiesOf(theme, defaultColors)
  if (width) properties.set('max-inline-size', `${width}px`)
  if (properties.size === 0) return ''
  const declarations = [...properties].map(([name, value]) => `  ${name}: ${value};\n`)
  return `crypto-checkout {\n${declarations.join('')}}\n`
}
