/**
 * The least that any checkout could take: a static page that already has the DOM and the styles of ours, and that replaces
 * the list by the payment at a click. It is made from what our element renders. Without icons, which ours also shows later.
 */
import type {Choice, Contender} from './contenders.js'
import {openBrowser} from './measure.js'

export async function floorOf(ours: Contender, choose: Choice): Promise<Contender> {
  const shown = {...ours, html: ours.html.replace('<crypto-checkout ', '<crypto-checkout logos="none" ')}
  const browser = await openBrowser([shown])
  const {list, paying} = await browser.inspect(shown, () => bench.snapshot('crypto-checkout'))
  await browser.close()
  return {
    name: 'floor',
    files: new Map(),
    entry: '',
    html: `<crypto-checkout ${list.attributes}>
        <template shadowrootmode="open"><style>${paying.styles}</style><div>${list.html}</div></template>
      </crypto-checkout>
      <template id="paying">${paying.html}</template>
      <script>
        const {shadowRoot} = document.querySelector('crypto-checkout')
        roots.push(shadowRoot)
        check(roots)
        shadowRoot.querySelector('${choose.clicks[0] ?? ''}').onclick = () =>
          shadowRoot.lastElementChild.replaceChildren(document.querySelector('#paying').content.cloneNode(true))
      </script>`,
    mount: '',
    usable: ours.usable,
    choose: {clicks: choose.clicks.slice(0, 1), result: choose.result},
  }
}
