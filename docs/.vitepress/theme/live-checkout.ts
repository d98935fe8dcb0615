/** The element over the real proxy and the real sandbox, which run in the page, and a button that pays. */
import {useData} from 'vitepress'
import {defineComponent, h, onMounted, ref, shallowRef} from 'vue'
import type {CryptoCheckout} from '../../../src/index.js'
import type {StoryFixture} from '../../../stories/fixture.js'

export const LiveCheckout = defineComponent(() => {
  const {isDark} = useData()
  const fixture = shallowRef<StoryFixture>()
  const element = shallowRef<CryptoCheckout>()
  const phase = ref('')

  // The site is built without them, and the text of the page does not wait for them.
  onMounted(async () => {
    const [{openFixture}] = await Promise.all([
      import('../../../stories/fixture.js'),
      import('../../../src/index.js'),
    ])
    fixture.value = await openFixture(undefined, {redirect: ''})
  })

  const pay = async () => {
    const quote = element.value?.checkout?.quote
    if (!quote) return
    fixture.value?.sandbox.pay(fixture.value.chargeId, {asset: quote.asset, network: quote.network})
    await element.value?.refresh()
  }

  return () =>
    h('div', {class: 'live-checkout'}, [
      fixture.value &&
        h('crypto-checkout', {
          ref: element,
          '.fetch': fixture.value.fetch,
          'charge-id': fixture.value.chargeId,
          theme: isDark.value ? 'dark' : 'light',
          wallets: 'none',
          forget: '',
          'onCheckout-changed': () => (phase.value = element.value?.phase ?? ''),
        }),
      h('p', {class: 'live-note'}, [
        'The real element and proxy in your browser, with a simulated payment service. No money moves. ',
        h(
          'button',
          {type: 'button', disabled: phase.value !== 'paying', onClick: pay},
          'Pay as the customer',
        ),
      ]),
    ])
})
