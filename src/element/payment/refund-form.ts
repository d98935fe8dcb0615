import type {Problem} from '../../contract/problem.js'
import type {RefundRequest} from '../../contract/refund-request.js'
import {hasChecksum, withoutSpace} from '../../core/refund-address.js'
import type {Translation} from '../../translations/translation.js'

/** Why the address was not accepted. */
export type RefundError = 'different' | 'invalid' | Problem

/** What the view of the refund address shows, and what the customer does there. */
export interface RefundState {
  readonly network: string
  readonly address: string
  /** Typed a second time. */
  readonly again: string
  readonly error: RefundError | null
  /** What was given on this page. The proxy does not return it. */
  readonly given: RefundRequest | null
  edit(change: Partial<Record<'network' | 'address' | 'again', string>>): void
  send(request: RefundRequest): void
}

interface RefundFormHost {
  readonly element: {requestUpdate(): void}
  translation(): Translation
  announce(text: string): void
}

const empty = {network: '', address: '', again: '', error: null, given: null}

/** The refund address that the customer types, for one charge. */
export class RefundForm {
  #chargeId = ''
  #state: Omit<RefundState, 'edit' | 'send'> = empty
  #isSending = false

  constructor(private readonly host: RefundFormHost) {}

  stateOf(chargeId: string, give: (request: RefundRequest) => Promise<Problem | null>): RefundState {
    if (this.#chargeId !== chargeId) this.#state = empty
    this.#chargeId = chargeId
    return {
      ...this.#state,
      edit: change => this.#set({...change, error: null}),
      send: request => void this.#send(request, give),
    }
  }

  #set(change: Partial<RefundState>): void {
    this.#state = {...this.#state, ...change}
    this.host.element.requestUpdate()
  }

  async #send(
    {network, address}: RefundRequest,
    give: (request: RefundRequest) => Promise<Problem | null>,
  ): Promise<void> {
    const request = {network, address: withoutSpace(address)}
    if (request.address === '' || this.#isSending) return
    if (!hasChecksum(request.address, network) && withoutSpace(this.#state.again) !== request.address)
      return this.#set({error: 'different'})
    const chargeId = this.#chargeId
    this.#isSending = true
    const problem = await give(request).finally(() => (this.#isSending = false))
    if (chargeId !== this.#chargeId) return
    if (!problem) this.host.announce(this.host.translation().refund.asked)
    const error = problem?.code === 'bad_request' ? 'invalid' : problem
    this.#set(problem ? {error} : {...empty, given: request})
  }
}
