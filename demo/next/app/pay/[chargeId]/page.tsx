import {Suspense} from 'react'
import {Payment} from './payment'

export default function Page({params}: {params: Promise<{chargeId: string}>}) {
  return (
    <>
      <h1>Your order</h1>
      <Suspense>
        {params.then(({chargeId}) => (
          <Payment chargeId={chargeId} />
        ))}
      </Suspense>
    </>
  )
}
