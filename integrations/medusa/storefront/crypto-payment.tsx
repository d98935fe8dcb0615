/** The payment step of a storefront, with Medusa's client. The script of the tag comes from the proxy. */
'use client'
import type Medusa from '@medusajs/js-sdk'
import type {HttpTypes} from '@medusajs/types'
import {CryptoCheckout} from 'crypto-checkout/react'
import {useState} from 'react'

const provider_id = 'pp_crypto-checkout_crypto-checkout'

interface Props {
  sdk: Medusa
  cart: HttpTypes.StoreCart
  /** Where Medusa runs, such as `https://api.shop.example`. */
  backend: string
}

export function CryptoPayment({sdk, cart, backend}: Props) {
  const [data, setData] = useState<Record<string, unknown>>()
  const [isPaid, setPaid] = useState(false)

  async function start() {
    const {payment_collection} = await sdk.store.payment.initiatePaymentSession(cart, {provider_id})
    setData(payment_collection.payment_sessions?.find(each => each.provider_id === provider_id)?.data)
  }

  if (!data)
    return (
      <button type="button" onClick={() => void start()}>
        Pay with crypto
      </button>
    )
  return (
    <>
      <CryptoCheckout
        chargeId={String(data['chargeId'])}
        token={data['token'] === undefined ? undefined : String(data['token'])}
        endpoint={`${backend}/crypto-checkout`}
        onCheckoutPaid={() => setPaid(true)}
      />
      {/* A hint: the server places the order. */}
      {isPaid && <p role="status">Thank you! We have your payment.</p>}
    </>
  )
}
