/* global document, fetch, setInterval, setTimeout */
// The sandbox wallet: plays the customer's wallet, the passing of time, and the weather between the shop and the
// payment service. It talks to the sandbox's control surface, `GET /sandbox/`, and is not there with the real service.

const LOOK_EVERY = 2_000
const A_LOOK = 1_100

const operations = {
  convert: 'convert',
  createCryptoCharge: 'create crypto charge',
  getCryptoCharge: 'get crypto charge',
  getCharge: 'get charge',
  createCharge: 'create charge',
  verifyPayment: 'verify payment',
  '*': 'all of them',
}

const faults = [
  ['answers 503', {kind: 'status', status: 503}],
  ['answers 429, retry after 5 s', {kind: 'status', status: 429, retryAfter: 5}],
  ['answers 400', {kind: 'status', status: 400}],
  ['answers 500 after it was done', {kind: 'statusAfterEffect', status: 500}],
  ['is 5 s late', {kind: 'delay', ms: 5_000}],
  ['is 30 s late', {kind: 'delay', ms: 30_000}],
  ['drops the connection', {kind: 'drop'}],
  ['drops it after it was done', {kind: 'dropAfterEffect'}],
  ['answers what is no JSON', {kind: 'malformed'}],
  ['answers half of its JSON', {kind: 'truncated'}],
  ['leaves fields out', {kind: 'missingFields'}],
  ['never gets the body', {kind: 'lostBody'}],
  ['answers other addresses', {kind: 'swappedAddress'}],
  ['answers another coin', {kind: 'wrongCurrency'}],
  ['answers no amount', {kind: 'badAmount'}],
  ['redirects', {kind: 'redirect'}],
]

const MINUTE = 60_000

/** Fills the panel, beside a `<crypto-checkout>` whose charge it pays. */
export function openWallet(panel, checkout) {
  let known = null
  let unconfirmed = null

  const hint = make('p', {className: 'hint'})
  const said = make('p', {className: 'said', role: 'status'})
  const seen = make('ul')
  const broken = make('p', {className: 'said', role: 'status'})
  broken.dataset.tone = 'bad'
  const operation = choice('Operation', Object.entries(operations))
  const fault = choice(
    'Fault',
    faults.map(([name], index) => [String(index), name]),
  )
  const buttons = {
    exact: button('exact', 'Pay exactly', () => pay({}), 'main wide'),
    less: button('less', 'Too little', () => pay({amount: 'less'})),
    more: button('more', 'Too much', () => pay({amount: 'more'})),
    unconfirmed: button('unconfirmed', 'Unconfirmed', () => pay({confirmed: false})),
    confirm: button('confirm', 'Confirm it', confirm),
    late: button('late', 'Too late', payLate),
    wrong: button('wrong', 'Wrong network', () => pay({via: otherNetwork(target().network)})),
    expire: button('expire', 'Expire', () =>
      act('expire', {id: checkout.chargeId}, 'The charge has expired.'),
    ),
    cancel: button('cancel', 'Cancel', () =>
      act('cancel', {id: checkout.chargeId}, 'The charge is cancelled.'),
    ),
  }
  const clock = [
    ['1 min', MINUTE],
    ['15 min', 15 * MINUTE],
    ['1 h', 60 * MINUTE],
  ].map(([name, ms]) =>
    button(`clock-${ms / MINUTE}`, name, () => act('clock', {ms}, `The clock went ${name} forward.`)),
  )

  panel.replaceChildren(
    make('h2', {textContent: 'Sandbox wallet'}),
    make('p', {className: 'hint', textContent: 'No real money. Be the customer, the clock and the weather.'}),
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
        buttons.late,
        buttons.wrong,
      ),
      said,
    ),
    section('What arrived', seen),
    section('The charge', row('buttons', buttons.expire, buttons.cancel)),
    section('Move the clock forward', row('buttons three', ...clock)),
    section(
      'Break the service',
      labelled('Operation', operation),
      labelled('What it does', fault),
      row('buttons', button('break', 'Break it', breakIt), button('mend', 'Mend all', mend)),
      broken,
    ),
  )
  document.head.append(make('link', {rel: 'stylesheet', href: '/wallet.css'}))
  checkout.addEventListener('checkout-changed', arrange)
  setInterval(look, LOOK_EVERY)
  arrange()
  return

  /** What the customer was shown last: to whom, and how much. */
  function target() {
    const quote = checkout.checkout?.quote
    if (quote) return quote
    const last = known?.cryptoCharges.flatMap(({activated}) => activated).at(-1)
    return last && {asset: last.asset, network: last.network, address: last.address, amount: last.crypto}
  }

  function arrange() {
    panel.hidden = !checkout.chargeId
    if (known && known.id !== checkout.chargeId) known = unconfirmed = null
    const to = target()
    hint.textContent = to
      ? `${nameOf(to)} on ${to.network}, to ${short(to.address)}`
      : 'Choose a coin in the checkout first.'
    for (const name of ['exact', 'less', 'more', 'unconfirmed', 'late', 'wrong']) buttons[name].disabled = !to
    buttons.confirm.disabled = !unconfirmed
    seen.replaceChildren(...arrivals())
  }

  function arrivals() {
    const payments = (known?.payments ?? []).map(({data: {network, status, value}}) =>
      make('li', {
        textContent: `${value.crypto.amount} ${value.crypto.currency} on ${network}: ${status === 'CONFIRMED' ? 'confirmed' : 'not yet confirmed'}`,
      }),
    )
    const lost = (known?.lost ?? []).map(({amount, asset, network, reason}) =>
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

  /** Exactly what the page shows, unless `how` says otherwise. */
  async function pay(how) {
    const {asset, network, address, amount} = target()
    const paid = await send('pay', {id: checkout.chargeId, asset, network, address, amount, ...how})
    if (!paid) return
    if (paid.recorded && how.confirmed === false) unconfirmed = paid.transactionId
    if (paid.recorded) say('Sent. The payment service has seen it.')
    else say('Lost: nobody was watching there, and nobody will give it back.', 'bad')
    await look()
  }

  async function payLate() {
    if (!(await send('expire', {id: checkout.chargeId}))) return
    await pay({})
    await refresh()
  }

  async function confirm() {
    if (!(await send('confirm', {transactionId: unconfirmed}))) return
    unconfirmed = null
    say('Confirmed.')
    await look()
  }

  async function act(path, body, done) {
    if (!(await send(path, body))) return
    say(done)
    await refresh()
    await look()
  }

  /**
   * The service tells nobody of these, so the page would find out within half a minute. It is asked to look now; only
   * not at once, because the proxy takes a look that is less than a second old for a new one.
   */
  async function refresh() {
    await new Promise(resolve => setTimeout(resolve, A_LOOK))
    await checkout.refresh()
  }

  async function breakIt() {
    const [name, what] = faults[Number(fault.value)]
    if (await send('fault', {operation: operation.value, fault: what}))
      broken.textContent = `Until mended: ${operations[operation.value]} ${name}.`
  }

  async function mend() {
    if (await send('clear-faults', {})) broken.textContent = ''
  }

  async function look() {
    const id = checkout.chargeId
    const answer =
      id && document.visibilityState === 'visible' ? await ask(`charges/${encodeURIComponent(id)}`) : null
    if (answer?.ok && id === checkout.chargeId) {
      known = await answer.json()
      const waiting = known.payments.find(({data}) => data.status !== 'CONFIRMED')
      unconfirmed = waiting ? waiting.data.transaction_id : null
    }
    arrange()
  }

  /** The answer, or null after saying what was wrong. */
  async function send(path, body) {
    const answer = await ask(path, {method: 'POST', body: JSON.stringify(body)})
    const result = await answer?.json().catch(() => null)
    if (answer?.ok) return result
    say(result?.message ?? 'The sandbox could not be reached.', 'bad')
    return null
  }

  function say(text, tone = 'good') {
    said.dataset.tone = tone
    said.textContent = text
  }
}

function ask(path, init) {
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
