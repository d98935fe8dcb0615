/**
 * The formats of a webhook's body. The specification defines none, so a merchant must recognise the charge in all of
 * them.
 */
export const webhookFormats = [
  /** The ids, the metadata and the payment with its charge. */
  'record',
  /** `{"id": …}` */
  'id',
  /** `{"charge": …}` */
  'charge',
  /** Only the id of the crypto charge. */
  'cryptoCharge',
  /** The id deep inside objects and arrays, under a name of its own. */
  'nested',
  /** Form fields. */
  'form',
  /** A form field that contains JSON. */
  'jsonInForm',
  /** A JSON string that contains JSON. */
  'jsonInJson',
  /** The id and nothing else. */
  'text',
] as const

export type WebhookFormat = (typeof webhookFormats)[number]

export interface WebhookMessage {
  readonly contentType: string
  readonly body: string
}

interface WebhookRecord {
  readonly chargeId: string
  readonly cryptoChargeId: string
}

export function webhookMessage(format: WebhookFormat, record: WebhookRecord): WebhookMessage {
  const {chargeId, cryptoChargeId} = record
  switch (format) {
    case 'record':
      return json(record)
    case 'id':
      return json({id: chargeId})
    case 'charge':
      return json({charge: chargeId})
    case 'cryptoCharge':
      return json({event: 'payment', crypto_charge: cryptoChargeId})
    case 'nested':
      return json({event: {name: 'payment', objects: [{type: 'charge', subject: {value: chargeId}}]}})
    case 'form':
      return form({event: 'payment', charge: chargeId, crypto: cryptoChargeId})
    case 'jsonInForm':
      return form({payload: JSON.stringify({charge: {id: chargeId}})})
    case 'jsonInJson':
      return json({event: 'payment', payload: JSON.stringify({data: JSON.stringify({id: chargeId})})})
    case 'text':
      return {contentType: 'text/plain; charset=utf-8', body: chargeId}
  }
}

function json(value: unknown): WebhookMessage {
  return {contentType: 'application/json; charset=utf-8', body: JSON.stringify(value)}
}

function form(fields: Record<string, string>): WebhookMessage {
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  }
}
