/**
 * The element over the real proxy and the real sandbox, which run in the page. It plays one payment by itself, until the visitor
 * uses it. A button takes the next step, and beside it is what the shop's `onPaid` prints.
 */
import {useData} from 'vitepress'
import {defineComponent, h, onBeforeUnmount, onMounted, ref, shallowRef} from 'vue'
import type {CryptoCheckout} from '../../../src/index.js'
import type {StoryFixture} from '../../../stories/fixture.js'
import {listSeconds} from './figures.js'

/** Milliseconds for which each step is shown. */
const STEP_MS = 3_500
/** BNB, which has one network, so that one click leads to the address. */
const COIN = '[data-asset="1839"]'

export const LiveCheckout = defineComponent(() => {
  const {isDark} = useData()
  const fixture = shallowRef<StoryFixture>()
  const element = shallowRef<CryptoCheckout>()
  const phase = ref('')
  const stage = shallowRef<HTMLElement>()
  const printed = ref<string>()
  let stopped = false
  let mountedAt = 0

  const start = async () => {
    const {openFixture} = await import('../../../stories/fixture.js')
    printed.value = undefined
    phase.value = ''
    const next = await openFixture(undefined, {
      redirect: '',
      onPaid: (_paid, {charge}) => void (printed.value = `${charge.ref_id} is paid: ship it`),
    })
    mountedAt = performance.now()
    fixture.value = next
  }
  const onChanged = () => {
    stage.value?.scrollTo(0, 0)
    phase.value = element.value?.phase ?? ''
    if (phase.value === 'choosing') listSeconds.value ??= ((performance.now() - mountedAt) / 1000).toFixed(1)
  }
  const choose = () => element.value?.renderRoot.querySelector<HTMLElement>(COIN)?.click()
  const pay = async () => {
    const quote = element.value?.checkout?.quote
    if (!quote) return
    fixture.value?.sandbox.pay(fixture.value.chargeId, {asset: quote.asset, network: quote.network})
    await element.value?.refresh()
  }
  const steps: Readonly<Record<string, readonly [label: string, act: () => unknown]>> = {
    choosing: ['Choose BNB', choose],
    paying: ['Pay as the customer', pay],
    paid: ['Start again', start],
  }

  // The site is built without them, and the text of the page does not wait for them.
  onMounted(async () => {
    await import('../../../src/index.js')
    await start()
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => {
      if (stopped) clearInterval(timer)
      else if (!document.hidden) void steps[phase.value]?.[1]()
    }, STEP_MS)
  })
  onBeforeUnmount(() => (stopped = true))
  const stop = () => (stopped = true)

  return () => {
    const [label, act] = steps[phase.value] ?? ['One moment …', () => undefined]
    return h('div', {class: 'live', onPointerdown: stop, onKeydown: stop}, [
      h('div', {ref: stage, class: 'live-checkout'}, [
        fixture.value &&
          h('crypto-checkout', {
            key: fixture.value.chargeId,
            ref: element,
            '.fetch': fixture.value.fetch,
            'charge-id': fixture.value.chargeId,
            theme: isDark.value ? 'dark' : 'light',
            wallets: 'none',
            forget: '',
            'onCheckout-changed': onChanged,
          }),
      ]),
      h('p', {class: 'live-next'}, [
        h('button', {type: 'button', onClick: act}, label),
        h('span', 'The real element and proxy, in your browser. No money moves.'),
      ]),
      h('pre', {class: 'live-log', 'aria-live': 'polite'}, [
        h('code', ['$ node server.js\n', printed.value ?? 'onPaid has not run']),
      ]),
    ])
  }
})
