/** Lists of payments as a service may write them: in any letter case, and with several transfers in one transaction. */

interface Listed {
  network: string
  transaction_id: string
  readonly status: string
  readonly value: {readonly crypto: {readonly amount: number; currency: string}}
}

interface Shown {
  readonly id: string
  readonly place: string
  readonly amount: number
}

export class ShownTransactions {
  /** By the id of the chain. */
  readonly #shown = new Map<string, Shown>()

  constructor(readonly random: () => number) {}

  /**
   * Transfers of different amounts get the transaction of the first one, and keep it. Those of one transaction are confirmed
   * together, so one that was seen before that has a transaction of its own.
   */
  rewrite(body: string): string {
    if (!body.includes('"transaction_id":"')) return body
    let response: object
    try {
      response = JSON.parse(body) as object
    } catch {
      return body
    }
    return JSON.stringify(response, (name, value: unknown) =>
      name === 'payments' && Array.isArray(value) ? value.map(each => this.#rewritten(each)) : value,
    )
  }

  #rewritten(payment: unknown): unknown {
    if (!isListed(payment)) return payment
    const {network, transaction_id, value} = payment
    const {id} = this.#shown.get(transaction_id) ?? this.#show(payment)
    const {crypto} = value
    return {
      ...payment,
      network: this.#inAnyCase(network),
      transaction_id: this.#inAnyCase(id),
      value: {...value, crypto: {...crypto, currency: this.#inAnyCase(crypto.currency)}},
    }
  }

  #show({network, transaction_id, status, value: {crypto}}: Listed): Shown {
    const place = status === 'CONFIRMED' ? `${network} ${crypto.currency}` : transaction_id
    const others = [...this.#shown.values()].filter(each => each.place === place)
    const first = others.find(
      each => !others.some(({id, amount}) => id === each.id && amount === crypto.amount),
    )
    const shown = {id: first?.id ?? transaction_id, place, amount: crypto.amount}
    this.#shown.set(transaction_id, shown)
    return shown
  }

  #inAnyCase(text: string): string {
    const number = this.random()
    return number < 0.6 ? text : number < 0.8 ? text.toUpperCase() : text.toLowerCase()
  }
}

/** Not one that a fault has made unreadable. */
function isListed(value: unknown): value is Listed {
  if (typeof value !== 'object' || value === null) return false
  const {network, transaction_id, value: worth} = value as Partial<Listed>
  return (
    typeof network === 'string' &&
    typeof transaction_id === 'string' &&
    typeof worth?.crypto?.currency === 'string'
  )
}
