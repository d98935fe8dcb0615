/** The last step of a storefront, inside the `EcommerceProvider` of Payload's plugin. */
'use client'
import {usePayments} from '@payloadcms/plugin-ecommerce/client/react'
import {CryptoCheckout} from 'crypto-checkout/react'
import {useState} from 'react'

interface Initiated {
  chargeId: string
  token?: string
}

export function Checkout({email, billingAddress}: {email: string; billingAddress: object}) {
  const {initiatePayment, confirmOrder} = usePayments()
  const [initiated, setInitiated] = useState<Initiated>()
  const [orderId, setOrderId] = useState<number | string>()

  async function start() {
    const additionalData = {customerEmail: email, billingAddress}
    setInitiated((await initiatePayment('crypto-checkout', {additionalData})) as Initiated)
  }

  // A hint: the server reads the service, and has perhaps created the order already.
  async function confirm() {
    const options = {additionalData: {customerEmail: email}}
    const {orderID} = (await confirmOrder('crypto-checkout', options)) as {orderID: number | string}
    setOrderId(orderID)
  }

  if (!initiated)
    return (
      <button type="button" onClick={() => void start()}>
        Pay with crypto
      </button>
    )
  return (
    <>
      <CryptoCheckout
        chargeId={initiated.chargeId}
        token={initiated.token}
        endpoint="/api/crypto-checkout"
        onCheckoutPaid={() => void confirm()}
      />
      {orderId && <p role="status">Thank you! Your order is {orderId}.</p>}
    </>
  )
}
