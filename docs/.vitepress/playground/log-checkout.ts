import type {CryptoCheckout} from '../../../src/index.js'

/** Calls `log` for each event of the element. */
export function logCheckout(element: CryptoCheckout, log: (name: string, detail: string) => void): void {
  element.addEventListener('checkout-changed', ({type, detail}) =>
    log(type, `phase: ${element.phase}${detail ? `, status: ${detail.status}` : ''}`),
  )
  element.addEventListener('checkout-paid', ({type, detail: {paid}}) =>
    log(type, `${paid.amount} ${paid.currency}`),
  )
  element.addEventListener('checkout-underpaid', ({type, detail: {due}}) =>
    log(type, `${due.amount} ${due.currency} due`),
  )
  element.addEventListener('checkout-expired', ({type}) => log(type, ''))
  element.addEventListener('checkout-cancelled', ({type}) => log(type, ''))
  element.addEventListener('checkout-sent', ({type, detail}) => log(type, detail.hash))
  element.addEventListener('checkout-error', ({type, detail}) => log(type, detail.code))
  element.addEventListener('checkout-closed', ({type}) => log(type, ''))
}
