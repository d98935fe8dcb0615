/** The playground's components for React and Next.js, for the test that compiles the documentation. */
import {snippetOf} from '../../docs/.vitepress/playground/snippet.js'
import {initialState} from '../../docs/.vitepress/playground/state.js'
import type {Block} from '../docs/blocks.js'
import {everything} from './states.js'

export const reactBlocks: readonly Block[] = (['react', 'next'] as const).flatMap(stack =>
  [initialState, everything].flatMap(state =>
    snippetOf({...state, stack})
      .filter(({name}) => name.endsWith('.tsx'))
      .map(({name, code}) => ({
        place: `the playground's ${name}`,
        language: 'tsx',
        // The style sheet is beside it.
        code: code.replace("import './checkout.css'\n", ''),
      })),
  ),
)
