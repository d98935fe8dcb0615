/** The messages of the payment chunk. */
export const enPayment = {
  /** The rows while paying. */
  labels: {network: 'Network', address: 'Address', amount: 'Exact amount', value: 'Value'},
  plusFees: 'It has to arrive in full: add the fee of your wallet or exchange on top.',
  sendOnly: 'Send only {symbol} on {network}. Anything else sent to this address may be lost.',
  peggedWarning: 'This is the {symbol} token on {network}, not {symbol} on its own chain.',
  legacyWarning: 'This is an older token that has been replaced. Make sure that it is the one you hold.',
  /** Visible labels of buttons. */
  copy: 'Copy',
  copyDone: 'Copied',
  /** Accessible names of the same buttons. */
  copyNames: {amount: 'Copy amount', address: 'Copy address', receipt: 'Copy receipt'},
  copied: {amount: 'Amount copied', address: 'Address copied', receipt: 'Receipt copied'},
  copyByHand: 'Copying was refused. The text is selected: copy it with your keyboard or menu.',
  openWallet: 'Open in wallet',
  openIn: 'Open in {wallet}',
  walletCheck: 'Your wallet must show this address and {network}. If it does not, do not send.',
  /** Near the links above. */
  testWarning: 'Test mode: do not send real money.',

  /** The name of the group of wallets in this browser. */
  wallets: 'Wallets in this browser',
  payWith: 'Pay with {wallet}',
  /** In place of the name of a wallet that does not tell it. */
  browserWallet: 'browser wallet',
  networkFee: 'The network fee is paid in {coin}.',
  walletStatus: {
    connecting: 'Connect {wallet} to pay on {network}.',
    switching: 'Allow {wallet} to switch to {network}.',
    confirming: 'Compare amount, address and {network} in {wallet}, then confirm there.',
    sent: 'Sent by your wallet. This page shows when it arrives.',
    refused: 'Nothing was sent. You can try again.',
    asking: 'Your wallet is asking you already. Open it and answer there.',
    network: 'Nothing was sent. Choose {network} in {wallet}, or add it there, then try again.',
    changed: 'Nothing was sent, because this payment has changed or could not be checked. Try again.',
    unsure: 'Look in your wallet whether this payment was sent.',
  },
  sendAgain: 'Send again',
  qrAddress: 'QR code of the address {address}. Send exactly {amount} {symbol} on {network} to it.',
  qrRequest: 'QR code of a payment request for {amount} {symbol} on {network} to the address {address}.',
  qrShowRequest: 'QR code with amount',
  qrShowAddress: 'QR code with address only',
  priceMayHaveChanged: 'The price may have moved since this amount was worked out. You can still pay it.',
  newerAmount: 'A newer amount is available. You can still pay this one.',
  renew: 'Get a new amount',
  amountChanged: 'The amount has changed: it was {before}, now it is {now} {symbol}.',
  /** After the customer requested a new amount. */
  amountUnchanged: 'The amount is unchanged.',
  watching: 'This page notices your payment by itself.',
  /** After the usual time of the network. The payment number follows. */
  notSeenYet:
    'Sent it, but nothing happens? Check in your wallet or exchange that it went to this address on {network}. If it did, give the shop the payment number and your transaction ID.',

  payRemaining: 'Pay the rest',
  underpaidHint: 'What you sent has arrived and counts. Pay the rest to complete the payment.',
  remainingTooLate: 'The time to pay is over, so the rest cannot be paid here. Please contact the shop.',
  confirmingHint: 'Your payment was seen on the network. Nothing more to do: you can close this page.',
  paidHint: 'Thank you. Your payment has arrived in full.',
  /** Paid, although the payments listed are below the price: the shop or its service accepts it. */
  settledHint: 'Thank you. There is nothing more to pay.',
  overpaidHint:
    'You sent more than was asked: {paid} instead of {price}. Contact the shop about the difference.',
  /** After the end. `sentHint` follows. */
  doNotSend: 'Do not send anything any more.',
  help: 'Something not right? Give the shop the payment number.',
  payments: 'Payments',

  receipt: 'Receipt',
  print: 'Print or save as PDF',
  price: 'Price',
  description: 'For',
  transaction: 'Transaction',
  confirmed: 'confirmed',
  unconfirmed: 'not yet confirmed',
  dropped: 'failed or dropped',
  opensNewTab: 'opens in a new tab',
  continueToShop: 'Continue to the shop',
  redirecting: {one: 'Back to the shop in {count} second.', other: 'Back to the shop in {count} seconds.'},
  stayHere: 'Stay here',

  /** The confirmation before closing the dialog. */
  leaveTitle: 'Close this payment?',
  /** `sentHint` follows. */
  leaveHint: 'You can come back and continue until the time is over.',
} as const
