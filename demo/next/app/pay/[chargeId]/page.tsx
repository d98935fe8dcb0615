import {Payment} from './payment'

export default async function Page({params}: {params: Promise<{chargeId: string}>}) {
  const {chargeId} = await params
  return (
    <>
      <h1>Your order</h1>
      <Payment chargeId={chargeId} />
    </>
  )
}
