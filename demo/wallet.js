// The sandbox wallet pays as the customer, moves the clock, and makes the payment service fail. It uses the control API of
// the sandbox, `GET /sandbox/`, and does not exist with the real service.
import {createBrowserWallet, networks} from '/browser-wallet.js'
import {faults, operations} from '/faults.js'

const POLL_MS = 2_000
const POLL_CACHE_MS = 1_100

const states = {
  CONFIRMED: 'confirmed',
  PENDING: 'not yet confirmed',
  FAILED: 'failed',
  DROPPED: 'no longer listed',
}

const MINUTE = 60_000

/** Fills the panel. It pays the charge of the `<crypto-checkout>`. */
export async function openWallet(panel, checkout) {
  let charge = null
  let unconfirmed = null
  const tokens = await (await request('tokens')).json()
  const browserWallet = createBrowserWallet({
    tokens,
    send: transaction => send('transact', transaction),
    onChange: () => update(),
  })

  const hint = make('p', {className: 'hint'})
  const result = make('p', {className: 'result', role: 'status'})
  const arrived = make('ul')
  const activeFault = make('p', {className: 'result', role: 'status'})
  activeFault.dataset.tone = 'bad'
  const holdings = make('p', {className: 'hint'})
  const asked = make('p', {className: 'result', role: 'status'})
  const network = choice(
    'Network',
    Object.values(networks).map(name => [name, name]),
  )
  network.addEventListener('change', () => browserWallet.setNetwork(network.value))
  const operation = choice('Operation', Object.entries(operations))
  const fault = choice(
    'Fault',
    Object.entries(faults).map(([id, {name}]) => [id, name]),
  )
  const buttons = {
    allow: button('allow', 'Confirm', () => browserWallet.confirm(), 'primary'),
    reject: button('reject', 'Reject', () => browserWallet.reject()),
    exact: button('exact', 'Pay exactly', () => pay({}), 'primary wide'),
    less: button('less', 'Too little', () => pay({amount: 'less'})),
    more: button('more', 'Too much', () => pay({amount: 'more'})),
    unconfirmed: button('unconfirmed', 'Unconfirmed', () => pay({confirmed: false})),
    confirm: button('confirm', 'Confirm it', confirm),
    fail: button('fail', 'It fails', () => end('fail-payment', 'The payment has failed.')),
    drop: button('drop', 'Drop it', () => end('drop-payment', 'The service no longer lists the payment.')),
    elsewhere: button('elsewhere', 'Paid elsewhere', () =>
      act('pay-elsewhere', {id: checkout.chargeId}, 'Paid on the hosted page.'),
    ),
    late: button('late', 'Too late', payLate),
    wrong: button('wrong', 'Wrong network', () => pay({via: otherNetwork(target().network)})),
    expire: button('expire', 'Expire', () =>
      act('expire', {id: checkout.chargeId}, 'The charge has expired.'),
    ),
    back: button('back', 'The shop sends it back', sendBack, 'wide'),
    cancel: button('cancel', 'Cancel', () =>
      act('cancel', {id: checkout.chargeId}, 'The charge is cancelled.'),
    ),
  }
  const clock = [
    ['1 min', MINUTE],
    ['15 min', 15 * MINUTE],
    ['1 h', 60 * MINUTE],
  ].map(([name, ms]) =>
    button(`clock-${ms / MINUTE}`, name, () => act('clock', {ms}, `The clock moved ${name} forward.`)),
  )

  panel.replaceChildren(
    make('h2', {textContent: 'Sandbox wallet'}),
    make('p', {
      className: 'hint',
      textContent: 'No real money. Pay, move the clock, or make the service fail.',
    }),
    section(
      'Pay',
      hint,
      row(
        'buttons',
        buttons.exact,
        buttons.less,
        buttons.more,
        buttons.unconfirmed,
        buttons.confirm,
        buttons.fail,
        buttons.drop,
        buttons.elsewhere,
        buttons.late,
        buttons.wrong,
      ),
      result,
    ),
    section(
      'Browser wallet',
      labelled('Network', network),
      holdings,
      asked,
      row('buttons', buttons.allow, buttons.reject),
    ),
    section('Payments', arrived),
    section('The charge', row('buttons', buttons.expire, buttons.cancel, buttons.back)),
    section('Move the clock forward', row('buttons three', ...clock)),
    section(
      'Make the service fail',
      labelled('Operation', operation),
      labelled('Fault', fault),
      row('buttons', button('break', 'Set fault', setFault), button('clear', 'Clear faults', clearFaults)),
      activeFault,
    ),
  )
  checkout.addEventListener('checkout-changed', update)
  setInterval(poll, POLL_MS)
  browserWallet.announce()
  update()
  return

  /** The last quote that the customer saw. */
  function target() {
    const quote = checkout.checkout?.quote
    if (quote) return quote
    const last = charge?.cryptoCharges.flatMap(({activated}) => activated).at(-1)
    return last && {asset: last.asset, network: last.network, address: last.address, amount: last.crypto}
  }

  function update() {
    if (charge && charge.id !== checkout.chargeId) charge = unconfirmed = null
    const to = target()
    hint.textContent = to
      ? `${nameOf(to)} on ${to.network}, to ${short(to.address)}`
      : 'Choose a coin in the checkout first.'
    for (const name of ['exact', 'less', 'more', 'unconfirmed', 'late', 'wrong']) buttons[name].disabled = !to
    for (const name of ['confirm', 'fail', 'drop']) buttons[name].disabled = !unconfirmed
    buttons.back.disabled = checkout.checkout?.refund !== 'asked'
    arrived.replaceChildren(...paymentItems())
    network.value = browserWallet.network
    holdings.textContent = `It holds ${browserWallet.balances([nameOf(to ?? {})]).join(', ')}.`
    asked.textContent = browserWallet.question ?? ''
    for (const name of ['allow', 'reject']) buttons[name].disabled = !browserWallet.question
  }

  function paymentItems() {
    const payments = (charge?.payments ?? []).map(({data: {network, status, value}}) =>
      make('li', {
        textContent: `${value.crypto.amount} ${value.crypto.currency} on ${network}: ${states[status]}`,
      }),
    )
    const lost = (charge?.lost ?? []).map(({amount, asset, network, reason}) =>
      make('li', {
        className: 'lost',
        textContent: `${amount} ${nameOf({asset})} on ${network}: lost, ${reason}`,
      }),
    )
    return payments.length + lost.length > 0
      ? [...payments, ...lost]
      : [make('li', {className: 'hint', textContent: 'Nothing yet.'})]
  }

  function nameOf({asset}) {
    return checkout.checkout?.assets.find(({id}) => id === asset)?.symbol ?? asset
  }

  /** Pays exactly what the page shows, or what is due after a part was paid, except for `changes`. */
  async function pay(changes) {
    const {asset, network, address, amount} = target()
    const shown = checkout.phase === 'underpaid' ? {} : {amount}
    const paid = await send('pay', {id: checkout.chargeId, asset, network, address, ...shown, ...changes})
    if (!paid) return
    if (paid.recorded && changes.confirmed === false) unconfirmed = paid.transactionId
    if (paid.recorded) showResult('Sent. The payment service has seen it.')
    else
      showResult('Lost: the service does not track this address, and the money cannot be recovered.', 'bad')
    await poll()
  }

  async function payLate() {
    if (!(await send('expire', {id: checkout.chargeId}))) return
    await pay({})
    await refresh()
  }

  /** From a wallet of its own: neither the service nor the sandbox knows of it. */
  async function sendBack() {
    const path = `/orders/${encodeURIComponent(checkout.chargeId)}/sent-back`
    const response = await fetch(path, {method: 'POST'}).catch(() => null)
    if (response?.ok) showResult('The shop has sent it back.')
    else showResult('The shop does not know this order.', 'bad')
  }

  async function confirm() {
    if (!(await send('confirm', {transactionId: unconfirmed}))) return
    unconfirmed = null
    showResult('Confirmed.')
    await poll()
  }

  async function end(path, done) {
    if (unconfirmed) await act(path, {transactionId: unconfirmed}, done)
  }

  async function act(path, body, done) {
    if (!(await send(path, body))) return
    showResult(done)
    await refresh()
    await poll()
  }

  /**
   * Reads the checkout now, because the service sends no webhook for these changes. Waits first, because the proxy reuses
   * a poll for one second.
   */
  async function refresh() {
    await new Promise(resolve => setTimeout(resolve, POLL_CACHE_MS))
    await checkout.refresh()
  }

  async function setFault() {
    const {name, fault: what} = faults[fault.value]
    if (await send('fault', {operation: operation.value, fault: what}))
      activeFault.textContent = `Active fault: ${operations[operation.value]} ${name}.`
  }

  async function clearFaults() {
    if (await send('clear-faults', {})) activeFault.textContent = ''
  }

  async function poll() {
    const id = checkout.chargeId
    const response =
      id && document.visibilityState === 'visible' ? await request(`charges/${encodeURIComponent(id)}`) : null
    if (response?.ok && id === checkout.chargeId) {
      charge = await response.json()
      const pending = charge.payments.find(({data}) => data.status === 'PENDING')
      unconfirmed = pending ? pending.data.transaction_id : null
    }
    update()
  }

  /** Returns the body of the response, or null after showing the error. */
  async function send(path, body) {
    const response = await request(path, {method: 'POST', body: JSON.stringify(body)})
    const value = await response?.json().catch(() => null)
    if (response?.ok) return value
    showResult(value?.message ?? 'The sandbox could not be reached.', 'bad')
    return null
  }

  function showResult(text, tone = 'good') {
    result.dataset.tone = tone
    result.textContent = text
  }
}

function request(path, init) {
  return fetch(`/sandbox/${path}`, init).catch(() => null)
}

function otherNetwork(network) {
  return network === 'ethereum' ? 'polygon' : 'ethereum'
}

function short(address) {
  return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

function button(name, text, act, className = '') {
  const made = make('button', {type: 'button', textContent: text, className})
  made.dataset.act = name
  made.addEventListener('click', () => void act())
  return made
}

function choice(name, options) {
  const made = make(
    'select',
    {},
    ...options.map(([value, text]) => make('option', {value, textContent: text})),
  )
  made.dataset.choice = name.toLowerCase()
  return made
}

function labelled(text, control) {
  return make('label', {}, text, control)
}

function row(className, ...buttons) {
  return make('div', {className}, ...buttons)
}

function section(title, ...children) {
  return make('section', {}, make('h3', {textContent: title}), ...children)
}
