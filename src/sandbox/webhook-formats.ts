/** The formats of a webhook's body. The specification defines none, so a merchant must recognise the charge in all of them. */

export interface WebhookMessage {
  readonly contentType: string
  readonly body: string
}

interface WebhookRecord {
  readonly chargeId: string
  readonly cryptoChargeId: string
}

const formats = {
  /** The ids, the metadata and the payment with its charge. */
  record: record => json(record),
  id: ({chargeId}) => json({id: chargeId}),
  charge: ({chargeId}) => json({charge: chargeId}),
  cryptoCharge: ({cryptoChargeId}) => json({event: 'payment', crypto_charge: cryptoChargeId}),
  /** The id deep inside objects and arrays, under a name of its own. */
  nested: ({chargeId}) =>
    json({event: {name: 'payment', objects: [{type: 'charge', subject: {value: chargeId}}]}}),
  form: ({chargeId, cryptoChargeId}) => form({event: 'payment', charge: chargeId, crypto: cryptoChargeId}),
  jsonInForm: ({chargeId}) => form({payload: JSON.stringify({charge: {id: chargeId}})}),
  jsonInJson: ({chargeId}) =>
    json({event: 'payment', payload: JSON.stringify({data: JSON.stringify({id: chargeId})})}),
  /** The id and nothing else. */
  text: ({chargeId}) => ({contentType: 'text/plain; charset=utf-8', body: chargeId}),
} satisfies Record<string, (record: WebhookRecord) => WebhookMessage>

export type WebhookFormat = keyof typeof formats

export const webhookFormats = Object.keys(formats).filter((name): name is WebhookFormat => name in formats)

export function webhookMessage(format: WebhookFormat, record: WebhookRecord): WebhookMessage {
  return formats[format](record)
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
