const pay = document.querySelector('#pay')
const checkout = document.querySelector('crypto-checkout')

pay.addEventListener('click', async () => {
  const response = await fetch('/orders', {method: 'POST'})
  if (!response.ok) throw new Error('The order could not be placed')
  const {chargeId} = await response.json()
  checkout.setAttribute('charge-id', chargeId)
  checkout.hidden = false
  pay.hidden = true
})

checkout.addEventListener('checkout-paid', () => {
  document.querySelector('#thanks').textContent = 'Thank you! We have your payment.'
})
