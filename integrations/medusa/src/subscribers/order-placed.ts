/** An order that was paid otherwise must not be paid again. */
import type {SubscriberArgs} from '@medusajs/framework'
import {ContainerRegistrationKeys} from '@medusajs/framework/utils'
import {cancelChargeWorkflow} from '../workflows/cancel-charge.js'

export default async function orderPlaced({event, container}: SubscriberArgs<{id: string}>): Promise<void> {
  const {data} = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: 'order_payment_collection',
    fields: ['payment_collection_id'],
    filters: {order_id: event.data.id},
  })
  for (const {payment_collection_id} of data as {payment_collection_id: string}[])
    await cancelChargeWorkflow(container).run({input: payment_collection_id})
}

export const config = {event: ['order.placed', 'order.canceled']}
