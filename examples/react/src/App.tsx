import {CryptoCheckout} from 'crypto-checkout/react'
import {useState} from 'react'
import {placeOrder} from './order'

export function App() {
  const [chargeId, setChargeId] = useState<string>()
  const [isPaid, setPaid] = useState(false)

  if (!chargeId)
    return (
      <button type="button" onClick={async () => setChargeId(await placeOrder())}>
        Pay with crypto
      </button>
    )
  return (
    <>
      <CryptoCheckout chargeId={chargeId} onCheckoutPaid={() => setPaid(true)} />
      {isPaid && <p role="status">Thank you! We have your payment.</p>}
    </>
  )
}
