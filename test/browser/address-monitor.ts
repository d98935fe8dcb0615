/**
 * Checks invariant 1 on the service API, the checkout API and the page: an address reaches the browser only after a
 * convert activated it. It reads raw text, so that it does not depend on the proxy's parser.
 */
import type {Transport, TransportReply, TransportRequest} from '../../src/http/index.js'

export class AddressMonitor {
  /** One sentence per violation. */
  readonly violations: string[] = []
  readonly #seen = new Set<string>()
  readonly #activated = new Set<string>()
  /** By crypto charge, asset and network: the address as the service returned it without a fault. */
  readonly #trueAddress: (cryptoChargeId: string, asset: string, network: string) => string | undefined

  constructor(trueAddress: (cryptoChargeId: string, asset: string, network: string) => string | undefined) {
    this.#trueAddress = trueAddress
  }

  /** Between the proxy and the service. */
  readonly observe =
    (transport: Transport): Transport =>
    async request => {
      const reply = await transport(request)
      for (const [, address = ''] of reply.body.matchAll(/"address":"([^"]+)"/g))
        this.#seen.add(address.toLowerCase())
      const address = this.#activatedBy(request, reply)
      if (address !== undefined) this.#activated.add(address.toLowerCase())
      return reply
    }

  /** Between the browser and the proxy. */
  async checkResponse(response: Response): Promise<Response> {
    this.check('a proxy response', await response.clone().text())
    return response
  }

  /** All of the page, its shadow roots and attributes included. */
  checkPage(root: Element): void {
    const roots: ParentNode[] = [root]
    for (let next = roots.pop(); next; next = roots.pop()) {
      this.check('the page', next.textContent ?? '')
      for (const element of next.querySelectorAll('*')) {
        for (const {value} of element.attributes) this.check('the page', value)
        if (element.shadowRoot) roots.push(element.shadowRoot)
      }
    }
  }

  /** Records each address in the text that no convert activated. */
  check(where: string, text: string): void {
    const lower = text.toLowerCase()
    for (const address of this.#seen)
      if (!this.#activated.has(address) && lower.includes(address))
        this.violations.push(`${where} has ${address}, which was not activated`)
  }

  /** The address that this call activated, if its response is valid. */
  #activatedBy(
    {url, body = ''}: TransportRequest,
    {status, body: responseBody}: TransportReply,
  ): string | undefined {
    if (!url.endsWith('/api/v1/pay/crypto/convert') || status < 200 || status > 299) return undefined
    const {wallet, network, _id} = JSON.parse(body)
    try {
      const {amount, currency} = JSON.parse(responseBody)
      const isAmount = typeof amount === 'number' && Number.isFinite(amount) && amount > 0
      if (!isAmount || String(currency).toLowerCase() !== String(wallet.symbol).toLowerCase())
        return undefined
    } catch {
      return undefined
    }
    return this.#trueAddress(_id, wallet.convert_id, network)
  }
}
