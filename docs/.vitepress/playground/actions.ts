/** What each act does in the sandbox. */
import type {SandboxCore} from '../../../src/sandbox/sandbox.js'
import type {Act, Pair} from './state.js'

const MINUTE = 60_000
const LOST =
  'Lost. The service does not track this address on that network, and the money cannot be recovered.'

interface Payment {
  readonly amount?: string
  readonly confirmed?: boolean
  readonly via?: string
}

/** The acts that need an address, and those that need an unconfirmed payment. */
export const needsQuote: readonly Act[] = ['exact', 'less', 'more', 'unconfirmed', 'late', 'wrong']
export const needsUnconfirmed: readonly Act[] = ['confirm', 'fail', 'drop']

export function actions({
  sandbox,
  chargeId,
  pair,
}: {
  readonly sandbox: SandboxCore
  readonly chargeId: string
  readonly pair: () => Pair | null
}): (act: Act) => string {
  let unconfirmed: string | null = null

  function pay(payment: Payment): string {
    const target = pair()
    if (!target) return 'Choose a coin in the checkout first.'
    const {recorded, transactionId} = sandbox.pay(chargeId, {...target, ...payment})
    if (recorded && payment.confirmed === false) unconfirmed = transactionId
    return recorded ? 'Sent. The payment service has seen it.' : LOST
  }

  function end(finish: (transactionId: string) => void, done: string): string {
    if (unconfirmed === null) return 'No payment is unconfirmed.'
    finish(unconfirmed)
    unconfirmed = null
    return done
  }

  function move(minutes: number): string {
    sandbox.moveClock(minutes * MINUTE)
    return `The clock moved ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} forward.`
  }

  const performers: Readonly<Record<Act, () => string>> = {
    exact: () => pay({}),
    less: () => pay({amount: 'less'}),
    more: () => pay({amount: 'more'}),
    unconfirmed: () => pay({confirmed: false}),
    confirm: () => end(id => sandbox.confirm(id), 'The payment is confirmed.'),
    fail: () => end(id => sandbox.failPayment(id), 'The payment has failed.'),
    drop: () => end(id => sandbox.dropPayment(id), 'The service no longer lists the payment.'),
    late() {
      sandbox.expire(chargeId)
      return pay({})
    },
    wrong: () => pay({via: pair()?.network === 'ethereum' ? 'bsc' : 'ethereum'}),
    elsewhere() {
      sandbox.payElsewhere(chargeId)
      return 'Paid on the hosted page.'
    },
    expire() {
      sandbox.expire(chargeId)
      return 'The charge has expired.'
    },
    cancel() {
      sandbox.cancel(chargeId)
      return 'The charge is cancelled.'
    },
    minute: () => move(1),
    quarter: () => move(15),
    hour: () => move(60),
  }
  return act => performers[act]()
}

/** Whether the last payment is neither confirmed nor ended. */
export function hasUnconfirmed(steps: readonly unknown[]): boolean {
  const isAbout = (step: unknown) => needsUnconfirmed.some(act => act === step) || step === 'unconfirmed'
  return steps.findLast(isAbout) === 'unconfirmed'
}
