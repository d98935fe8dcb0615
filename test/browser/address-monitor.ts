/**
 * Watches both wires and the page for invariant 1: which addresses the service has named, which of them a convert has
 * activated as far as anybody could tell, and whether any other ever reached the browser. It reads the raw text on the
 * wire and knows nothing of how the proxy reads it.
 */
import type {Transport, TransportReply, TransportRequest} from '../../src/http/index.js'

export class AddressMonitor {
  /** What went wrong, in words; empty while all is well. */
  readonly breaches: string[] = []
  readonly #named = new Set<string>()
  readonly #activated = new Set<string>()
  /** By crypto charge, asset and network: the address as the service told it without a fault. */
  readonly #trueAddress: (cryptoChargeId: string, asset: string, network: string) => string | undefined

  constructor(trueAddress: (cryptoChargeId: string, asset: string, network: string) => string | undefined) {
    this.#trueAddress = trueAddress
  }

  /** Between the proxy and the service. */
  readonly listen =
    (transport: Transport): Transport =>
    async request => {
      const reply = await transport(request)
      for (const [, address = ''] of reply.body.matchAll(/"address":"([^"]+)"/g))
        this.#named.add(address.toLowerCase())
      const address = this.#activatedBy(request, reply)
      if (address !== undefined) this.#activated.add(address.toLowerCase())
      return reply
    }

  /** Between the browser and the proxy. */
  async hear(answer: Response): Promise<Response> {
    this.judge('a proxy answer', await answer.clone().text())
    return answer
  }

  /** All of the page, its shadow roots and attributes included. */
  look(root: Element): void {
    const roots: ParentNode[] = [root]
    for (let next = roots.pop(); next; next = roots.pop()) {
      this.judge('the page', next.textContent ?? '')
      for (const element of next.querySelectorAll('*')) {
        for (const {value} of element.attributes) this.judge('the page', value)
        if (element.shadowRoot) roots.push(element.shadowRoot)
      }
    }
  }

  /** Any text that has come as far as this. */
  judge(where: string, text: string): void {
    const lower = text.toLowerCase()
    for (const address of this.#named)
      if (!this.#activated.has(address) && lower.includes(address))
        this.breaches.push(`${where} has ${address}, which was not activated`)
  }

  /** The address that this call made safe to pay to, if it surely did. */
  #activatedBy(
    {url, body = ''}: TransportRequest,
    {status, body: answer}: TransportReply,
  ): string | undefined {
    if (!url.endsWith('/api/v1/pay/crypto/convert') || status < 200 || status > 299) return undefined
    const {wallet, network, _id} = JSON.parse(body)
    try {
      const {amount, currency} = JSON.parse(answer)
      const isAmount = typeof amount === 'number' && Number.isFinite(amount) && amount > 0
      if (!isAmount || String(currency).toLowerCase() !== String(wallet.symbol).toLowerCase())
        return undefined
    } catch {
      return undefined
    }
    return this.#trueAddress(_id, wallet.convert_id, network)
  }
}
