import type {DeskWords} from './words.js'

export const enDesk: DeskWords = {
  sendExactly: 'Send exactly',
  toAddress: 'To this address',
  sendOnly: (symbol, network) =>
    `Send only ${symbol} on ${network}. Anything else sent to this address may be lost.`,
  peggedWarning: (symbol, network) =>
    `This is the ${symbol} token on ${network}, not ${symbol} on its own chain.`,
  legacyWarning: 'This is an older token that has been replaced. Make sure that it is the one you hold.',
  copyAmount: 'Copy amount',
  copyAddress: 'Copy address',
  amountCopied: 'Amount copied',
  addressCopied: 'Address copied',
  copyByHand: 'Copying was refused. The text is selected: copy it with your keyboard or menu.',
  qrAddress: (amount, symbol, network, address) =>
    `QR code of the address ${address}. Send exactly ${amount} ${symbol} on ${network} to it.`,
  qrRequest: (amount, symbol, network, address) =>
    `QR code of a payment request for ${amount} ${symbol} on ${network} to the address ${address}.`,
  qrShowRequest: 'QR code with amount',
  qrShowAddress: 'QR code with address only',
  qrCheckReceiver: 'Your wallet must show this very address as the receiver. If it does not, do not send.',
  priceMayHaveMoved: 'The price may have moved since this amount was worked out. You can still pay it.',
  amountMoved: 'A newer amount is available. You can still pay this one.',
  renew: 'Get a new amount',
  amountChanged: (before, now, symbol) =>
    `The amount has changed: it was ${before}, now it is ${now} ${symbol}.`,
  watching: 'This page notices your payment by itself.',

  payRest: 'Pay the rest',
  restTooLate: 'The time to pay is over, so the rest cannot be paid here. Please contact the shop.',
  confirmingHint: 'It was seen on the network. Nothing more to do: you may leave this page.',
  paidHint: 'Thank you. Your payment has arrived.',
  overpaidHint: (paid, price) =>
    `You sent more than was asked: ${paid} instead of ${price}. Contact the shop about the difference.`,
  expiredHint: 'Do not send anything any more. If you already have, it will still be seen: contact the shop.',
  cancelledHint: 'Do not send anything any more. If you already have, contact the shop.',

  receipt: 'Receipt',
  price: 'Price',
  description: 'For',
  transaction: 'Transaction',
  confirmed: 'confirmed',
  unconfirmed: 'not yet confirmed',
  opensNewTab: 'opens in a new tab',
  continueToShop: 'Continue to the shop',
  redirecting: seconds => `Back to the shop in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  stayHere: 'Stay here',
}
