/** The last step of a storefront: the active order is in the state ArrangingPayment. */
const checkout = document.querySelector('crypto-checkout')

document.querySelector('#pay').addEventListener('click', async () => {
  const response = await fetch('/shop-api', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({query: 'mutation { createCryptoCheckout { chargeId token } }'}),
  })
  const {data} = await response.json()
  const {chargeId, token} = data.createCryptoCheckout
  if (token) checkout.token = token
  checkout.setAttribute('charge-id', chargeId)
  checkout.hidden = false
})

// A hint: the server adds the payment to the order.
checkout.addEventListener('checkout-paid', () => {
  document.querySelector('#thanks').textContent = 'Thank you! We have your payment.'
})
