/** The alerts that a journal records, except `address_mismatch`, which has an entry of its own. */
export const recordedAlerts = [
  'payment_unreadable',
  'price_mismatch',
  'amount_mismatch',
  'unconfirmed_paid',
  'service_unreadable',
  'payment_after_archive',
  'payment_after_cancel',
  'order_paid_twice',
  'order_price_mismatch',
] as const

export type AlertKind = 'address_mismatch' | (typeof recordedAlerts)[number]
