/** A link to the playground shows what its sender saw. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import fc from 'fast-check'
import {inPhase, initialState} from '../../docs/.vitepress/playground/state.js'
import {decodeState, encodeState} from '../../docs/.vitepress/playground/url.js'
import {anyState} from './states.js'

describe('the fragment of a link to the playground', () => {
  it('restores every state, and needs no escapes, so that chats and mail programs keep the link whole', () => {
    fc.assert(
      fc.property(anyState, state => {
        const fragment = encodeState(state)
        assert.match(fragment, /^[\w.,:=&*-]*$/)
        assert.deepEqual(plain(decodeState(`#${fragment}`)), plain(state))
      }),
    )
  })

  it('is empty for the initial state, and names only what differs from it', () => {
    assert.equal(encodeState(initialState), '')
    assert.equal(
      encodeState({...inPhase(initialState, 'underpaid'), locale: 'ar'}),
      'do=825.bsc,less&locale=ar',
    )
  })

  it('may be any text: what is unknown is ignored', () => {
    assert.deepEqual(decodeState('#pair=1.bsc&do=steal,less&theme=sepia&radius=900&light=accent:red&x=y'), {
      ...initialState,
      steps: ['less'],
    })
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'do=', 'light=', 'fault='), (text, name) => {
        const state = decodeState(name + text)
        assert.deepEqual(decodeState(encodeState(state)), state)
      }),
    )
  })

  it('repeats at most 40 steps', () => {
    assert.equal(decodeState(`do=${'less,'.repeat(1_000)}`).steps.length, 40)
  })
})

/** fast-check makes objects without a prototype. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}
