import {headers} from 'next/headers'
import {Suspense} from 'react'
import {getCheckout} from '@/checkout'

interface Props {
  params: Promise<{chargeId: string}>
}

export default function Page({params}: Props) {
  return (
    <>
      <h1>Your order</h1>
      <Suspense>
        <Payment params={params} />
      </Suspense>
    </>
  )
}

/** The list of coins is in the HTML, so that the customer does not wait for a script. */
async function Payment({params}: Props) {
  const {chargeId} = await params
  const locale = (await headers()).get('accept-language') ?? undefined
  const html = await getCheckout().render(chargeId, {locale})
  // The browser moves a part of it into the shadow root, where React would miss it.
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{__html: html}} />
}
