/** The published OpenAPI document. `test/fuzz/openapi.test.ts` compares it with the proxy. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod'
import {describedOpenapi} from '../../scripts/described-openapi.js'

const described = z.looseObject({description: z.string().regex(/^[A-Z`].+\.$/)})
const component = described.extend({properties: z.record(z.string(), described).optional()})

test('every schema of the checkout API and each of its fields is described', () => {
  const {schemas} = describedOpenapi().components
  const fields = Object.entries(z.record(z.string(), component).parse(schemas)).flatMap(
    ([id, {properties = {}}]) => Object.keys(properties).map(field => `${id}.${field}`),
  )
  for (const field of 'Checkout.replacedBy Quote.confirmationTime QuoteRequest.part WakeUp.rev'.split(' '))
    assert.ok(fields.includes(field), field)
})
