/** The published OpenAPI document of `serve`. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod'
import {describedOpenapi} from '../../scripts/described-openapi.js'

const described = z.looseObject({description: z.string().regex(/^[A-Z`].+\.$/)})
const component = described.extend({properties: z.record(z.string(), described).optional()})

const fieldsOf = (schemas: unknown) =>
  Object.entries(z.record(z.string(), component).parse(schemas)).flatMap(([id, {properties = {}}]) =>
    Object.keys(properties).map(field => `${id}.${field}`),
  )

test('every schema of the merchant API and each of its fields is described', () => {
  const fields = fieldsOf(describedOpenapi().components.schemas)
  for (const field of 'PlaceOrder.orderId PlacedOrder.token Order.received LedgerPayment.time Event.type'.split(
    ' ',
  ))
    assert.ok(fields.includes(field), field)
})
