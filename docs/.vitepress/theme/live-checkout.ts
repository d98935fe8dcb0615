/**
 * The element over the real proxy and the real sandbox, which run in the page, and a wallet with which the visitor pays as the
 * customer. Beside it is what the shop's server prints.
 */
import {useData, withBase} from 'vitepress'
import {defineComponent, h, onMounted, ref, shallowRef} from 'vue'
import type {Quote} from '../../../src/contract/checkout.js'
import type {CryptoCheckout} from '../../../src/index.js'
import type {PayRequest} from '../../../src/sandbox/requests.js'
import type {StoryFixture} from '../../../stories/fixture.js'

/** By the name of the button. */
const payments: Readonly<Record<string, (quote: Quote) => Partial<PayRequest>>> = {
  'Pay exactly': () => ({}),
  'Too little': () => ({amount: 'less'}),
  'Too much': () => ({amount: 'more'}),
  'Wrong network': ({network}) => ({via: network === 'ethereum' ? 'bsc' : 'ethereum'}),
}
const payable = ['paying', 'underpaid', 'confirming']

export const LiveCheckout = defineComponent(() => {
  const {isDark} = useData()
  const fixture = shallowRef<StoryFixture>()
  const element = shallowRef<CryptoCheckout>()
  const phase = ref('')
  const quote = shallowRef<Quote | null>(null)
  const message = ref('')
  const printed = ref<readonly string[]>([])

  const start = async () => {
    const {openFixture} = await import('../../../stories/fixture.js')
    const print = (line: string) => void (printed.value = [...printed.value, line])
    const next = await openFixture(undefined, {
      redirect: '',
      // Another id each time, so that the element starts anew.
      sandbox: {random: Math.random},
      handlers: {
        onPaid: (_paid, {charge}) => print(`${charge.ref_id} is paid: ship it`),
        onUnderpaid: ({due}, {charge}) => print(`${charge.ref_id}: ${due.amount} ${due.currency} is missing`),
      },
    })
    printed.value = []
    message.value = phase.value = ''
    quote.value = null
    fixture.value = next
  }
  const onChanged = () => {
    phase.value = element.value?.phase ?? ''
    quote.value = element.value?.checkout?.quote ?? quote.value
  }
  const pay = async (change: Partial<PayRequest>) => {
    if (!fixture.value || !quote.value) return
    const {sandbox, chargeId} = fixture.value
    const {asset, network} = quote.value
    const {recorded} = sandbox.pay(chargeId, {asset, network, ...change})
    message.value = recorded ? 'Sent.' : 'Lost: nobody watches this address on that network.'
    await element.value?.refresh()
  }

  // The site is built without them, and the text of the page does not wait for them.
  onMounted(async () => {
    await import('../../../src/index.js')
    await start()
  })

  const checkout = () =>
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
    })
  const hint = () => {
    if (['paid', 'overpaid'].includes(phase.value)) return 'Paid. Your server has run onPaid.'
    if (!quote.value) return 'Choose a coin in the checkout.'
    return message.value || `Your wallet has ${quote.value.symbol} on ${quote.value.networkName}.`
  }
  const buttons = () =>
    Object.entries(payments).map(([name, change]) =>
      h(
        'button',
        {
          type: 'button',
          disabled: !quote.value || !payable.includes(phase.value),
          onClick: () => quote.value && pay(change(quote.value)),
        },
        name,
      ),
    )

  return () => [
    h('div', {class: 'live-checkout'}, checkout()),
    h('section', {class: 'live-wallet', 'aria-labelledby': 'live-wallet'}, [
      h('h2', {id: 'live-wallet'}, 'Pay as the customer'),
      h('p', {role: 'status'}, hint()),
      h('div', {class: 'live-buttons'}, buttons()),
      h('pre', {'aria-label': 'What your server prints', 'aria-live': 'polite'}, [
        h('code', ['$ node server.js', ...printed.value].join('\n')),
      ]),
      h('p', {class: 'live-note'}, [
        'The real element, proxy and a simulated service, in this page. No money moves. ',
        h('button', {type: 'button', class: 'live-again', onClick: start}, 'Start again'),
        h('a', {href: withBase('/storybook/'), target: '_self'}, 'All states and themes'),
      ]),
    ]),
  ]
})
