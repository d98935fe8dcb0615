'use client'
import {CryptoCheckout} from 'crypto-checkout/react'
import {useState} from 'react'
import './payment.css'

export function Payment({chargeId}: {chargeId: string}) {
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <CryptoCheckout chargeId={chargeId} onCheckoutPaid={() => setPaid(true)}>
        <p>Loading the payment…</p>
        <p className="hint">If nothing appears, reload this page or contact the shop.</p>
      </CryptoCheckout>
      {isPaid && <p role="status">Thank you! We have your payment.</p>}
    </>
  )
}
