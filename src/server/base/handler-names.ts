/** The merchant's handlers that have notices. */
export const handlerNames = [
  'onPaid',
  'onUnderpaid',
  'onExpired',
  'onCancelled',
  'onPayment',
  'onAlert',
  'onRefundAddress',
] as const

export type NoticeHandler = (typeof handlerNames)[number]
export type HandlerName = NoticeHandler | 'onArchive'
