// The shop's page. The charge id is in the URL, so a reload or a second tab shows the same order.

const POLL_MS = 2_000

const layout = document.getElementById('layout')
const checkout = document.getElementById('checkout')
const pay = document.getElementById('pay')
const state = document.getElementById('order-state')
const error = document.getElementById('order-error')
const link = document.getElementById('pay-link')

pay.addEventListener('click', order)
window.addEventListener('popstate', show)
// A browser event is only a hint to read the order from the shop's server.
checkout.addEventListener('checkout-paid', () => void updateOrder(checkout.chargeId))
show()
const wallet = document.getElementById('wallet')
if (wallet) {
  const {openWallet} = await import('/wallet.js')
  await openWallet(wallet, checkout)
}

/** The shop's server creates the charge and sets the price. */
async function order() {
  pay.disabled = true
  setText(error, '')
  try {
    const response = await fetch('/orders', {method: 'POST'})
    if (!response.ok) throw new Error(response.statusText)
    const {chargeId, token} = await response.json()
    checkout.token = token
    history.pushState(null, '', `/?charge=${encodeURIComponent(chargeId)}`)
    show()
  } catch {
    setText(error, 'The payment could not be started. Nothing was charged; please try again.')
  } finally {
    pay.disabled = false
  }
}

/** Shows the basket, or the order whose charge id is in the URL. */
function show() {
  const chargeId = new URLSearchParams(location.search).get('charge')
  layout.dataset.stage = chargeId ? 'order' : 'basket'
  setText(state, 'Waiting for your payment.')
  link.removeAttribute('href')
  if (chargeId) checkout.setAttribute('charge-id', chargeId)
  else checkout.removeAttribute('charge-id')
  document.getElementById('order-title').textContent = chargeId ? 'Your order' : 'Your basket'
  if (chargeId) void pollOrder(chargeId)
}

async function pollOrder(chargeId) {
  for (;;) {
    if (checkout.chargeId !== chargeId || (await updateOrder(chargeId))) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** Reads the order from the shop's server. Resolves to true when it will not change any more. */
async function updateOrder(chargeId) {
  const response = await fetch(`/orders/${encodeURIComponent(chargeId)}`).catch(() => null)
  if (checkout.chargeId !== chargeId || !response) return false
  if (response.status === 404) {
    setText(state, 'The shop does not know this order. Orders are lost when the demo restarts.')
    return true
  }
  if (!response.ok) return false
  const {number, paid, payUrl, token, refund} = await response.json()
  checkout.token = token ?? null
  document.getElementById('order-title').textContent = `Order ${number}`
  state.dataset.paid = String(paid)
  if (payUrl && !paid) link.href = payUrl
  else link.removeAttribute('href')
  const text = paid ? 'Paid. We are packing it.' : 'Waiting for your payment.'
  const back = refund && `${refund.amount.amount} ${refund.amount.currency}`
  const refundText = refund ? (refund.isSent ? `We have sent ${back} back.` : `You want ${back} back.`) : ''
  setText(state, `${text} ${refundText}`.trim())
  // Of a refund, the customer learns later.
  return refund ? refund.isSent : paid && checkout.phase === 'paid' && !checkout.checkout?.refund
}

function setText(element, text) {
  element.hidden = text === ''
  if (element.textContent !== text) element.textContent = text
}
