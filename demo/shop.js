/* global document, fetch, history, location, setTimeout, window, URLSearchParams */
// The shop's page. The charge id is in the address, so a reload or a second tab shows the same order.

const LOOK_EVERY = 2_000

const layout = document.getElementById('layout')
const place = document.getElementById('checkout-place')
const checkout = document.getElementById('checkout')
const pay = document.getElementById('pay')
const state = document.getElementById('order-state')
const error = document.getElementById('order-error')

const money = (amount, currency) =>
  new Intl.NumberFormat('en-US', {style: 'currency', currency}).format(amount)

const setup = await (await fetch('/setup')).json()
showBasket(setup.basket)
pay.disabled = false
pay.addEventListener('click', order)
window.addEventListener('popstate', show)
// A browser's event is a hint: it says when to ask the shop, not what is paid.
checkout.addEventListener('checkout-paid', () => void look(checkout.chargeId))
if (setup.sandbox) {
  // The sandbox's logos do not exist.
  checkout.setAttribute('logos', 'none')
  const {openWallet} = await import('/wallet.js')
  openWallet(document.getElementById('wallet'), checkout)
}
show()

function showBasket({items, total, currency}) {
  document.getElementById('total').textContent = money(total, currency)
  document.getElementById('items').replaceChildren(
    ...items.map(({name, note, price}) => {
      const [item, what, small, cost] = ['li', 'span', 'span', 'span'].map(tag => document.createElement(tag))
      small.className = 'note'
      small.textContent = note
      what.append(name, small)
      cost.className = 'price'
      cost.textContent = money(price, currency)
      item.append(what, cost)
      return item
    }),
  )
}

/** The shop's server makes the charge, and knows the price; the page only says that it wants to pay. */
async function order() {
  pay.disabled = true
  say(error, '')
  try {
    const answer = await fetch('/orders', {method: 'POST'})
    if (!answer.ok) throw new Error(answer.statusText)
    const {chargeId} = await answer.json()
    history.pushState(null, '', `/?charge=${encodeURIComponent(chargeId)}`)
    show()
  } catch {
    say(error, 'The payment could not be started. Nothing was charged; please try again.')
  } finally {
    pay.disabled = false
  }
}

/** What the address says: a basket, or an order that is being paid. */
function show() {
  const chargeId = new URLSearchParams(location.search).get('charge')
  layout.dataset.stage = chargeId ? 'order' : 'basket'
  pay.hidden = chargeId !== null
  place.hidden = chargeId === null
  say(state, '')
  if (chargeId) checkout.setAttribute('charge-id', chargeId)
  else checkout.removeAttribute('charge-id')
  document.getElementById('order-title').textContent = chargeId ? 'Your order' : 'Your basket'
  if (chargeId) void follow(chargeId)
}

async function follow(chargeId) {
  for (;;) {
    if (checkout.chargeId !== chargeId || (await look(chargeId))) return
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY))
  }
}

/** What the shop's own server knows. Resolves to whether there is nothing more to wait for. */
async function look(chargeId) {
  const answer = await fetch(`/orders/${encodeURIComponent(chargeId)}`).catch(() => null)
  if (checkout.chargeId !== chargeId || !answer) return false
  if (answer.status === 404) {
    say(state, 'The shop does not know this order: it forgets its orders when it is started anew.')
    return true
  }
  if (!answer.ok) return false
  const {number, paid} = await answer.json()
  document.getElementById('order-title').textContent = `Order ${number}`
  state.dataset.paid = String(paid)
  say(state, paid ? 'Paid. We are packing it.' : 'Waiting for your payment.')
  return paid
}

function say(place, text) {
  place.hidden = text === ''
  if (place.textContent !== text) place.textContent = text
}
