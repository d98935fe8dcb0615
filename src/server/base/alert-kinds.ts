/** What the merchant must look at. */
export const alertKinds = [
  'address_mismatch',
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

/** Of the alerts that a document records. `store_lost` cannot be recorded. */
export type AlertKind = (typeof alertKinds)[number]
