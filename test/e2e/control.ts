/** A client of the sandbox's control API. */
import assert from 'node:assert/strict'

export interface Activated {
  readonly asset: string
  readonly network: string
  readonly address: string
}

export interface Wallet {
  readonly addresses: readonly {
    readonly account?: {readonly address: string}
    readonly networks?: readonly {readonly account: {readonly address: string}}[]
  }[]
}

/** The fields that tests read. */
export interface ChargeView {
  readonly cryptoCharges: readonly {
    readonly activated: readonly Activated[]
    readonly cryptoCharge: {readonly wallet: Wallet}
  }[]
  readonly payments: readonly unknown[]
  readonly lost: readonly {readonly reason: string; readonly network: string}[]
}

export interface Paid {
  readonly recorded: boolean
  readonly transactionId: string
}

export class Control {
  constructor(private readonly shop: string) {}

  async pay(id: string, request: Readonly<Record<string, unknown>>): Promise<Paid> {
    return (await this.act('pay', {id, ...request})) as Paid
  }

  async act(name: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${this.shop}/sandbox/${name}`, {method: 'POST', body: JSON.stringify(body)})
    const text = await response.text()
    assert.equal(response.status, 200, `${name}: ${text}`)
    return JSON.parse(text)
  }

  async charge(id: string): Promise<ChargeView> {
    return (await this.#view(`charges/${id}`)) as ChargeView
  }

  /** Every deposit address of the charge, activated or not, in lower case. */
  async addresses(id: string): Promise<string[]> {
    const {cryptoCharges} = await this.charge(id)
    return cryptoCharges
      .flatMap(({cryptoCharge}) => cryptoCharge.wallet.addresses)
      .flatMap(({account, networks = []}) => [account, ...networks.map(network => network.account)])
      .flatMap(account => (account ? [account.address.toLowerCase()] : []))
  }

  /** How often each operation of the service was called. */
  async calls(): Promise<Readonly<Record<string, number>>> {
    const {calls} = (await this.#view('')) as {calls: Record<string, number>}
    return calls
  }

  async #view(path: string): Promise<unknown> {
    const response = await fetch(`${this.shop}/sandbox/${path}`)
    assert.equal(response.status, 200)
    return response.json()
  }
}
