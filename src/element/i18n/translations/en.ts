import type {Phase} from '../../../core/phase.js'

/** The messages of the first load. */
export const en = {
  dir: 'ltr',
  /** The accessible name of the dialog, and the title of a charge without description. */
  title: 'Pay with crypto',
  /** The headings. */
  status: {
    idle: '',
    loading: 'Loading the payment…',
    unavailable: 'The payment cannot be shown',
    choosing: 'Choose how to pay',
    quoting: 'Getting the exact amount…',
    paying: 'Waiting for your payment',
    confirming: 'Your payment is being confirmed',
    underpaid: 'Part of the amount has arrived',
    paid: 'Payment complete',
    overpaid: 'Payment complete',
    expired: 'The time to pay is over',
    cancelled: 'This payment was cancelled',
  },

  testBadge: 'Test mode',
  timeLeft: 'Time left',
  timeIsUp: 'Time is up, checking…',
  minutesLeft: {one: '{count} minute left to pay.', other: '{count} minutes left to pay.'},
  close: 'Close',
  back: 'Choose another way to pay',
  retry: 'Try again',
  chargeId: 'Payment number',
  received: 'Received',
  stillDue: 'Still due',

  search: 'Search coins and networks',
  assets: 'Coins',
  found: {one: '{count} coin found.', other: '{count} coins found.'},
  nothingFound: 'Nothing found. Try another name.',
  notNow: 'Not available now',
  networkCount: {one: '{count} network', other: '{count} networks'},
  chooseNetwork: 'Which network will you send {symbol} on?',
  /** A token that represents a coin of another chain. */
  pegged: 'Only if you hold {symbol} on this network',
  legacy: 'Older token',
  confirmationTime: {
    'under-a-minute': 'Payments usually take under a minute',
    minutes: 'Payments usually take 1 to 3 minutes, sometimes 20',
  },
  gettingAmount: 'Getting the exact amount…',
  lastUsed: 'Last used',
  /** While the customer chooses again, and after the end. It promises nothing for other coins, networks and addresses. */
  sentHint:
    'Already sent money? We will see it if coin, network and address were those shown here. Otherwise keep your transaction ID and contact the shop.',

  /** Follows the message of a problem that is retried automatically. */
  keepsTrying: 'This page keeps trying.',
  alarm: 'Do not send any money',
  alarmEarlier: 'Do not send to this address any more, it is no longer certain:',
  alarmContact: 'If you already have, contact the shop and give them the payment number.',
  /** Alerts that may end by themselves. */
  alerts: {
    payment_unreadable:
      'The details of a payment cannot be read, so it is not certain how much is still due.',
    price_mismatch: 'The payment service has another price for this payment than the shop.',
  },
  alertContact: 'Do not pay now. Contact the shop and give them the payment number.',
  alertEarlier: 'For now, do not send anything to the address that you saw:',
  paymentDropped: 'A payment did not arrive: it failed, or the network dropped it.',
  payAgain: 'You can pay again. If your wallet shows that payment as sent, contact the shop first.',
  closed: 'It cannot be paid at the moment. Please contact the shop.',
  problems: {
    offline: 'You seem to be offline.',
    unreachable: 'The payment service cannot be reached just now.',
    refused: 'This payment cannot be shown here. Please go back to the shop.',
    closed: 'This way to pay is not available just now. Please choose another.',
    'not-activated': 'This way to pay could not be prepared. Try again, or choose another.',
    outdated: 'This payment has moved on. Checking…',
    'load-failed': 'A part of this page could not be loaded. Check your connection.',
  },
  reference: 'Reference',
  /** Between a label and its value. */
  colon: ': ',
} as const satisfies {
  status: Record<Phase, string>
  [message: string]: unknown
}
