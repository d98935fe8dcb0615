document.querySelector('#pay').addEventListener('click', async () => {
  const response = await fetch('/orders', {method: 'POST'})
  if (!response.ok) throw new Error('The order could not be placed')
  const {chargeId} = await response.json()
  location.assign(`/pay/${chargeId}`)
})
