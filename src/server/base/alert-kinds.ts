/** The alerts that a journal records, except `address_mismatch`, which has an entry of its own. */
export const recordedAlerts = [
  'payment_unreadable',
  'price_mismatch',
  'amount_mismatch',
  'unconfirmed_paid',
  'service_unreadable',
  'payment_after_archive',
] as const

export type AlertKind = 'address_mismatch' | (typeof recordedAlerts)[number]
