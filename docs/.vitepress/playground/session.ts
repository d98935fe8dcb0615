/** One charge: the real proxy and the real sandbox in the page, as in the stories. */
import {faults} from '../../../demo/faults.js'
import {createSandboxCore} from '../../../src/sandbox/sandbox.js'
import {createCheckoutCore} from '../../../src/server/create-checkout.js'
import type {ChargeLogLine} from '../../../src/server/charges/log.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import type {SentRequest, WalletToken} from '../../../demo/browser-wallet.js'
import {actions} from './actions.js'
import type {PausableClock} from './pausable-clock.js'
import {isSamePair, lastQuoted, type Act, type FaultChoice, type Pair, type Step} from './state.js'

/** Longer than the time for which the proxy does not read the service again. */
const POLL_CACHE_MS = 1_100
const MOUNT = '/crypto-checkout'
/** Nothing is sent there; the page that the customer returns to. */
export const SHOP = 'https://shop.example/thanks'

export interface SessionOptions {
  readonly clock: PausableClock
  /** Called with the steps so far when the customer or a wallet has done something. */
  readonly onSteps: (steps: readonly Step[]) => void
  readonly onJournal: (log: readonly ChargeLogLine[]) => void
  /** Called when the proxy calls a handler of the shop's server. */
  readonly onServer: (handler: string, detail: string) => void
}

export interface Session {
  readonly chargeId: string
  /** For the property of the element. */
  readonly fetch: typeof globalThis.fetch
  /** That a browser wallet can send. */
  readonly tokens: readonly WalletToken[]
  /** Milliseconds since 1970 UTC, of the simulated server. */
  now(): number
  /** @returns what happened, as a sentence. Throws if the sandbox refuses it. */
  perform(act: Act): string
  /** Sends the transaction of a browser wallet. */
  transact(request: SentRequest): {readonly transactionId: string}
  setFault(fault: FaultChoice | null): void
  close(): Promise<void>
}

/** Creates a charge, and repeats these steps. */
export async function openSession(options: SessionOptions, initialSteps: readonly Step[]): Promise<Session> {
  const sandbox = createSandboxCore({
    clock: options.clock,
    random: seededRandom(),
    webhookUrl: new URL(`${MOUNT}/webhook`, SHOP).href,
    deliver: async (url, body, headers) =>
      (await checkout.fetch(new Request(url, {method: 'POST', body, headers}))).status,
  })
  const memory = memoryStore()
  let onPut: () => void = () => undefined
  const store: Store = {
    ...memory,
    async put(...row) {
      const isStored = await memory.put(...row)
      if (isStored) onPut()
      return isStored
    },
  }
  const checkout = createCheckoutCore({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    transport: sandbox.transport,
    store,
    clock: sandbox.clock,
    onPaid: ({paid}) => options.onServer('onPaid', `${paid.amount} ${paid.currency}`),
    onUnderpaid: ({due}) => options.onServer('onUnderpaid', `${due.amount} ${due.currency} due`),
    onExpired: () => options.onServer('onExpired', ''),
    onCancelled: () => options.onServer('onCancelled', ''),
    onPayment: ({amount, currency}) => options.onServer('onPayment', `${amount} ${currency}`),
    onAlert: ({kind}) => options.onServer('onAlert', kind),
  })
  const {chargeId} = await checkout.createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Two mugs from Halm & Oak',
    customer: {id: 'u7', name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'},
    redirectUrl: SHOP,
  })
  let steps: readonly Step[] = []
  const addStep = (step: Step) => (steps = [...steps, step])
  const perform = actions({sandbox, chargeId, pair: () => lastQuoted(steps)})
  const publishJournal = async () => options.onJournal(await checkout.journal(chargeId))
  onPut = () => void publishJournal()

  for (const step of initialSteps) {
    if (typeof step === 'object') await requestQuote(step)
    else if (!isPossible(() => perform(step))) continue
    addStep(step)
    await sandbox.idle()
    // The proxy reads the service after each step, as it would for a page.
    sandbox.moveClock(POLL_CACHE_MS)
    await request('')
  }

  return {
    chargeId,
    fetch,
    tokens: sandbox.tokens,
    now: () => sandbox.clock.now(),
    perform(act) {
      sandbox.moveClock(POLL_CACHE_MS)
      const message = perform(act)
      options.onSteps(addStep(act))
      return message
    },
    transact(request) {
      const {transactionId, recorded} = sandbox.transact(request)
      options.onSteps(addStep(recorded ? 'exact' : 'wrong'))
      return {transactionId}
    },
    setFault(choice) {
      sandbox.clearFaults()
      const fault = choice && faults[choice.id]?.fault
      if (choice && fault) sandbox.fault(choice.operation, fault)
    },
    async close() {
      onPut = () => undefined
      sandbox.clearFaults()
      await checkout.close()
    },
  }

  async function requestQuote({asset, network}: Pair): Promise<void> {
    await request('')
    await request('/quote', {asset, network})
  }

  async function request(path: string, body: object = {}): Promise<void> {
    const url = new URL(`${MOUNT}/charges/${chargeId}${path}`, SHOP)
    const headers = {'content-type': 'application/json'}
    const response = await checkout.fetch(
      new Request(url, {method: 'POST', headers, body: JSON.stringify(body)}),
    )
    await response.text()
  }

  /** Notes for which pairs the element requested a quote. */
  async function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const isQuote = request.method === 'POST' && new URL(request.url).pathname.endsWith('/quote')
    const pair = isQuote ? pairOf(await request.clone().json()) : null
    const converts = sandbox.calls.convert
    const response = await checkout.fetch(request)
    const isNew = sandbox.calls.convert > converts || !isSamePair(pair, lastQuoted(steps))
    if (pair && response.ok && isNew) options.onSteps(addStep(pair))
    return response
  }
}

/** A link may name an act that the sandbox refuses. */
function isPossible(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function pairOf(body: unknown): Pair | null {
  if (typeof body !== 'object' || body === null || !('asset' in body) || !('network' in body)) return null
  return {asset: String(body.asset), network: String(body.network)}
}

/** A Lehmer generator with a fixed seed, so that a link shows the same ids and addresses to everybody. */
function seededRandom(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
