/** The component and the plain tag, in React 18's types and in 19's. */
import {CryptoCheckout, type CryptoCheckoutElement, type CryptoCheckoutProps} from 'crypto-checkout/react'
import {useRef} from 'react'

export function Component({chargeId}: {chargeId: string}) {
  const ref = useRef<CryptoCheckoutElement>(null)
  const props: CryptoCheckoutProps = {chargeId, theme: 'dark', logos: 'none'}
  return (
    <CryptoCheckout
      {...props}
      ref={ref}
      className="mine"
      modal
      onCheckoutPaid={event => console.log(event.detail.chargeId, ref.current?.phase)}
      onCheckoutError={event => console.log(event.detail.code)}
      onCheckoutStep={event => console.log(event.detail.step, event.detail.asset)}
    >
      <p slot="footer">Help</p>
    </CryptoCheckout>
  )
}

export function Tag({chargeId}: {chargeId: string}) {
  const ref = useRef<CryptoCheckoutElement>(null)
  return (
    <crypto-checkout
      ref={ref}
      charge-id={chargeId}
      theme="dark"
      auto-redirect
      class="mine"
      id="checkout"
      oncheckout-paid={event => console.log(event.detail.chargeId)}
    >
      <p slot="footer">Help</p>
    </crypto-checkout>
  )
}

export const wrong = [
  // @ts-expect-error: not a theme
  <CryptoCheckout key={1} chargeId="c1" theme="pink" />,
  // @ts-expect-error: an id is text
  <CryptoCheckout key={2} chargeId={7} />,
  // @ts-expect-error: no such event
  <CryptoCheckout key={3} chargeId="c1" onCheckoutShipped={() => {}} />,
  // @ts-expect-error: a problem has no charge
  <CryptoCheckout key={4} onCheckoutError={event => console.log(event.detail.chargeId)} />,
  // @ts-expect-error: not a theme
  <crypto-checkout key={5} charge-id="c1" theme="pink" />,
  // @ts-expect-error: an id is text
  <crypto-checkout key={6} charge-id={7} />,
  // @ts-expect-error: attributes are spelled as in markup
  <crypto-checkout key={7} chargeId="c1" />,
]
