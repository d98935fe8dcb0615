/** Has the shop's server create the charge, and gives its id. */
export async function placeOrder(): Promise<string> {
  const answer = await fetch('/orders', {method: 'POST'})
  if (!answer.ok) throw new Error('The order could not be placed')
  const {chargeId}: {chargeId: string} = await answer.json()
  return chargeId
}
