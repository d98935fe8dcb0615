/** The element over the real proxy and the real sandbox, which run in the page. */
import {defineComponent, h, onMounted, shallowRef} from 'vue'
import type {StoryFixture} from '../../../stories/fixture.js'

export const LiveCheckout = defineComponent(() => {
  const fixture = shallowRef<StoryFixture>()
  // Neither is loaded while the site is built, and the page does not wait for them.
  onMounted(async () => {
    const [{openFixture}] = await Promise.all([
      import('../../../stories/fixture.js'),
      import('../../../src/index.js'),
    ])
    fixture.value = await openFixture(undefined, {redirect: ''})
  })
  return () =>
    fixture.value &&
    // The sandbox's logo URLs do not exist.
    h('crypto-checkout', {'charge-id': fixture.value.chargeId, '.fetch': fixture.value.fetch, logos: 'none'})
})
