/** The shop's server creates the charge and returns its id. */
export async function placeOrder(): Promise<string> {
  const response = await fetch('/orders', {method: 'POST'})
  if (!response.ok) throw new Error('The order could not be placed')
  const {chargeId}: {chargeId: string} = await response.json()
  return chargeId
}
