import {headers} from 'next/headers'
import {Suspense} from 'react'
import {getCheckout, placeOrder} from '@/checkout'

export default function Page() {
  return (
    <>
      <h1>Your order</h1>
      <Suspense>
        <Payment />
      </Suspense>
    </>
  )
}

/** The list of coins is in the HTML, so that the customer does not wait for a script. */
async function Payment() {
  const locale = (await headers()).get('accept-language') ?? undefined
  const html = await getCheckout().render(await placeOrder(), {locale})
  // The browser moves part of it into a shadow root, so React finds other content than it rendered.
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{__html: html}} />
}
