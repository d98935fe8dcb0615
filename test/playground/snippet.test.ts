/**
 * The playground's code shows what the playground shows. The page of the script tag also runs, in test/e2e, and
 * test/docs compiles the components for React.
 */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import fc from 'fast-check'
import {format} from 'prettier'
import {attributesOf} from '../../docs/.vitepress/playground/attributes.js'
import {snippetOf} from '../../docs/.vitepress/playground/snippet.js'
import {initialState, stacks} from '../../docs/.vitepress/playground/state.js'
import {themeCss} from '../../docs/.vitepress/playground/theme-css.js'
import {anyState, everything} from './states.js'

describe("the playground's code", () => {
  for (const stack of stacks)
    it(`has for ${stack} every attribute and the style sheet of the state`, () => {
      fc.assert(
        fc.property(anyState, state => {
          const [main, sheet] = snippetOf({...state, stack})
          assert.ok(main)
          const isReact = stack === 'react' || stack === 'next'
          for (const [name, value] of Object.entries(attributesOf(state))) {
            const written = isReact ? name.replace('auto-redirect', 'autoRedirect') : name
            const text = value === true ? written : `${written}="${value}"`
            assert.match(main.code, new RegExp(`\\s${text}(?=[\\s/>])`))
          }
          assert.ok((sheet?.code ?? '').endsWith(themeCss(state)))
        }),
        {numRuns: 50},
      )
    })

  it('parses', async () => {
    const options = {
      singleQuote: true,
      semi: false,
      printWidth: 110,
      bracketSpacing: false,
      arrowParens: 'avoid',
    } as const
    for (const state of [initialState, everything])
      for (const stack of ['html', 'vue', 'angular'] as const)
        for (const {name, code} of snippetOf({...state, stack}))
          await assert.doesNotReject(format(code, {...options, filepath: name}), name)
  })

  it('has the style sheet beside the component that imports it', () => {
    for (const stack of ['react', 'next', 'vue', 'svelte', 'angular'] as const) {
      const [main, sheet] = snippetOf({...everything, stack})
      assert.ok(main && sheet)
      assert.ok(main.code.includes('./checkout.css'))
      assert.equal(sheet.name, main.name.replace(/[^/]+$/, 'checkout.css'))
    }
  })

  it('gives colours of one scheme the default of the other', () => {
    assert.equal(
      themeCss({...initialState, theme: {...initialState.theme, light: {accent: '#2f5d50'}}}),
      'crypto-checkout {\n  --checkout-accent: light-dark(#2f5d50, #8fb0ff);\n}\n',
    )
    assert.equal(themeCss(initialState), '')
  })
})
