/** A client of the sandbox's control API. */
import assert from 'node:assert/strict'
import type {Sandbox} from '../../src/sandbox/index.js'

type Charge = NonNullable<ReturnType<Sandbox['charge']>>

export class Control {
  constructor(private readonly shop: string) {}

  async pay(id: string, request: Readonly<Record<string, unknown>>): Promise<ReturnType<Sandbox['pay']>> {
    return (await this.act('pay', {id, ...request})) as ReturnType<Sandbox['pay']>
  }

  async act(name: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${this.shop}/sandbox/${name}`, {method: 'POST', body: JSON.stringify(body)})
    const text = await response.text()
    assert.equal(response.status, 200, `${name}: ${text}`)
    return JSON.parse(text)
  }

  async charge(id: string): Promise<Charge> {
    return (await this.#view(`charges/${id}`)) as Charge
  }

  /** Every deposit address of the charge, activated or not, in lower case. */
  async addresses(id: string): Promise<string[]> {
    const {cryptoCharges} = await this.charge(id)
    return cryptoCharges
      .flatMap(({cryptoCharge}) => cryptoCharge.wallet.addresses)
      .flatMap(asset => ('networks' in asset ? asset.networks : [asset]))
      .map(({account}) => account.address.toLowerCase())
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
