'use client'
import {CryptoCheckout} from 'crypto-checkout/react'
import {useState} from 'react'

export function Payment({chargeId}: {chargeId: string}) {
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <CryptoCheckout chargeId={chargeId} onCheckoutPaid={() => setPaid(true)}>
        <p>The checkout could not be loaded. Please reload the page.</p>
      </CryptoCheckout>
      {isPaid && <p role="status">Thank you! We have your payment.</p>}
    </>
  )
}
