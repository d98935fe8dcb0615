/** A client of the sandbox's control API. */
import assert from 'node:assert/strict'
import type {Sandbox} from '../../src/sandbox/index.js'

type Charge = NonNullable<ReturnType<Sandbox['charge']>>

export class Control {
  constructor(private readonly shop: string) {}

  async act(name: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${this.shop}/sandbox/${name}`, {method: 'POST', body: JSON.stringify(body)})
    const text = await response.text()
    assert.equal(response.status, 200, `${name}: ${text}`)
    return JSON.parse(text)
  }

  async charge(id: string): Promise<Charge> {
    const response = await fetch(`${this.shop}/sandbox/charges/${id}`)
    assert.equal(response.status, 200)
    return response.json() as Promise<Charge>
  }
}
